import { Form, useNavigation } from "react-router";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { dismissError, listErrors } from "#domain/errors/errors.server.ts";
import { errorLists, errorTexts, type TrackedError } from "#domain/errors/tracked-error.ts";
import { pluralize } from "#domain/format.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/errors-page.ts";

const path = "/admin/errors";
const perPage = 20;

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const list = errorLists.find((each) => each === url.searchParams.get("list")) ?? "open";
  const after = url.searchParams.get("after");
  return { list, after, now: site.now(), ...(await listErrors(site, viewer, { list, after, limit: perPage })) };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const back = `${path}${url.search}`;
  try {
    await dismissError(context.get(siteContext), context.get(viewerContext), String(form.get("fingerprint") ?? ""));
    return redirectWithToast(back, { tone: "success", text: errorTexts.dismissed });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code !== "not-found") throw error;
    return redirectWithToast(back, { tone: "error", text: refusal.message });
  }
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Errors" });

const choices = optionsOf({ "": "Open", dismissed: "Dismissed" });
const selects = [{ name: "list", label: "Errors", options: choices, className: "w-44" }];

export default function ErrorsPage({ loaderData: { list, after, now, errors, next } }: Route.ComponentProps) {
  const chosen = list === "open" ? "" : list;
  return (
    <>
      <PageHead title="Errors" line="Errors on the server and in browsers, kept for 30 days after they last occurred.">
        <ListFilters action={path} label="Errors" chosen={{ list: chosen }} selects={selects} />
        <RefreshButton toast="Errors refreshed" />
      </PageHead>
      {errors.length > 0 ? (
        <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised">
          {errors.map((tracked) => (
            <ErrorItem key={tracked.fingerprint} tracked={tracked} now={now} />
          ))}
        </ul>
      ) : (
        <Panel className="mt-6">
          <EmptyState
            art="calm"
            title={list === "open" ? "No errors" : "No dismissed errors"}
            className="py-16!"
            text={list === "open" ? "Server and browser errors appear here." : "Errors you dismiss appear here."}
          />
        </Panel>
      )}
      <CursorNav after={after} next={next} hrefOf={(cursor) => listPath(path, { list: chosen, after: cursor })} />
    </>
  );
}

function ErrorItem({ tracked, now }: { tracked: TrackedError; now: number }) {
  const { fingerprint, source, message, stack, route, requestId, count, firstAt, lastAt, dismissedAt } = tracked;
  const busy = useNavigation().formData?.get("fingerprint") === fingerprint;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 lg:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{message}</span>
          <Badge tone={source === "server" ? "danger" : "warning"}>{source === "server" ? "Server" : "Browser"}</Badge>
        </p>
        <p className="num mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">
          {pluralize(count, "time")} · <TimeAgo time={lastAt} now={now} />
          {count > 1 && (
            <>
              {" · first seen "}
              <TimeAgo time={firstAt} now={now} />
            </>
          )}
          {route && ` · ${route}`}
          {requestId && ` · ${requestId}`}
        </p>
        {stack && (
          <details className="mt-2">
            <summary className="cursor-pointer text-sm font-medium text-ink-2">Stack</summary>
            <pre className="mt-2 max-h-72 overflow-auto rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
              {stack}
            </pre>
          </details>
        )}
      </div>
      {dismissedAt === null && (
        <Form method="post">
          <input type="hidden" name="fingerprint" value={fingerprint} />
          <Button type="submit" busy={busy}>
            Dismiss
          </Button>
        </Form>
      )}
    </li>
  );
}
