import { OnOff } from "#app/admin/shell/on-off.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { outcomeNames, ruleInWords } from "#domain/rules/rule.ts";
import { listRules } from "#domain/rules/rules.server.ts";
import type { Route } from "./+types/rules-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { rules: await listRules(context.get(siteContext), context.get(viewerContext)) };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Rules" });

export default function RulesPage({ loaderData: { rules } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Rules"
        line="Rules check every story when it’s published or edited. Stories by staff are skipped."
        back={{ to: "/admin/reports", label: "Reports" }}
      >
        <ButtonLink to="/admin/reports/rules/new" variant="primary" icon={Plus}>
          New rule
        </ButtonLink>
      </PageHead>
      {rules.length === 0 && (
        <EmptyState
          art="calm"
          title="No rules yet"
          text="Stories are published right away, and readers can report them."
          className="py-16"
        />
      )}
      {rules.length > 0 && (
        <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised">
          {rules.map((rule) => (
            <li key={rule.id} className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 hover:bg-hover lg:px-5">
              <OnOff on={rule.enabled} />
              <Link
                to={`/admin/reports/rules/${rule.id}`}
                className="min-w-0 flex-1 basis-64 font-medium [overflow-wrap:anywhere] stretched"
              >
                If {ruleInWords(rule.conditions)}
              </Link>
              <span className="text-base text-ink-2">{outcomeNames[rule.outcome]}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
