import { PageHead } from "#app/admin/shell/page-head.tsx";
import { ListFilters } from "#app/admin/table/list-filters.tsx";
import { listPath, readText } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Download, ShieldCheck } from "#app/ui/icons.tsx";
import { listAudit } from "#domain/audit/audit.server.ts";
import { actionLabel, auditActions } from "#domain/audit/audit.ts";
import { auditCheckText, verifyAudit } from "#domain/audit/chain.server.ts";
import type { Route } from "./+types/audit-page.ts";
import { AuditList } from "./audit-list.tsx";

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const filter = { action: readText(searchParams, "action"), subject: readText(searchParams, "subject") };
  const after = searchParams.get("after") ?? "";
  const page = await listAudit(site, viewer, { ...filter, after, limit: 50 });
  const check = searchParams.has("verify") ? auditCheckText(await verifyAudit(site, viewer)) : null;
  return { ...page, filter, after, check };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Audit log" });

const path = "/admin/audit";
const searches = [{ name: "subject", placeholder: "Subject, for example post:night-bus" }];
const actions = [{ value: "", label: "Action: All" }, ...auditActions.map((value) => ({ value, label: actionLabel(value) }))];
const selects = [{ name: "action", label: "Action", options: actions, className: "w-full sm:w-60" }];

export default function AuditPage({ loaderData: { entries, next, filter, after, check } }: Route.ComponentProps) {
  const filtered = Boolean(filter.action || filter.subject || after);
  return (
    <>
      <PageHead title="Audit log" line="Everything the staff did, newest first.">
        <ButtonLink to={`${path}?verify=1`} icon={ShieldCheck}>
          Verify
        </ButtonLink>
        {(["csv", "json"] as const).map((format) => (
          <ButtonLink key={format} to={listPath(`${path}/export`, { ...filter, format })} icon={Download} reloadDocument>
            {format.toUpperCase()}
          </ButtonLink>
        ))}
      </PageHead>
      {check && (
        <p role="status" className="mt-5 rounded-md border border-line bg-raised p-4 text-base [overflow-wrap:anywhere]">
          {check}
        </p>
      )}
      <ListFilters action={path} label="Audit log" className="mt-6" chosen={filter} searches={searches} selects={selects} button="Apply" />
      {entries.length > 0 ? (
        <AuditList entries={entries} className="mt-5" />
      ) : (
        <EmptyState art="calm" title={filtered ? "No entries found" : "No activity yet"} text={filtered && "Try a different filter."}>
          {filtered && <ButtonLink to={path}>Show everything</ButtonLink>}
        </EmptyState>
      )}
      <CursorNav after={after} next={next} hrefOf={(cursor) => listPath(path, { ...filter, after: cursor })} />
    </>
  );
}
