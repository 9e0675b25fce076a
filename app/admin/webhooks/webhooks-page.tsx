import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { webhookEvents } from "#domain/webhooks/webhook.ts";
import { listWebhooks } from "#domain/webhooks/webhooks.server.ts";
import type { Route } from "./+types/webhooks-page.ts";
import { WebhookState } from "./webhook-parts.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  return { webhooks: await listWebhooks(context.get(siteContext), context.get(viewerContext)) };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Webhooks" });

export default function WebhooksPage({ loaderData: { webhooks } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Webhooks" line="Notify your own programs when something happens on this site.">
        <ButtonLink to="/admin/webhooks/new" variant="primary" icon={Plus}>
          Add webhook
        </ButtonLink>
      </PageHead>
      {webhooks.length === 0 ? (
        <Panel className="mt-6">
          <EmptyState
            art="calm"
            title="No webhooks yet"
            className="py-16!"
            text="Add an address to get a request when a story is published or a member joins."
          />
        </Panel>
      ) : (
        <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised">
          {webhooks.map((webhook) => (
            <li key={webhook.id} className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 hover:bg-hover lg:px-5">
              <WebhookState webhook={webhook} />
              <div className="min-w-0 flex-1 basis-64">
                <Link to={`/admin/webhooks/${webhook.id}`} className="font-medium [overflow-wrap:anywhere] stretched">
                  {webhook.address}
                </Link>
                <p className="mt-0.5 text-sm text-ink-2">{webhook.events.map((event) => webhookEvents[event]).join(", ")}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
