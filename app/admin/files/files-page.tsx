import { PageHead } from "#app/admin/shell/page-head.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath, readText } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { listAllFiles } from "#domain/moderation/files/admin-files.server.ts";
import { fileSorts } from "#domain/moderation/files/admin-files.ts";
import type { Route } from "./+types/files-page.ts";
import { FilesTable } from "./files-table.tsx";

const path = "/admin/files";
const searches = [{ name: "user", placeholder: "Filter by user ID...", maxLength: 100 }];
const sorts = optionsOf({ "": "Sort: Newest", largest: "Sort: Largest" });
const selects = [{ name: "sort", label: "Sort", options: sorts }];

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const ownerId = readText(searchParams, "user", 100);
  const sort = fileSorts.find((each) => each === searchParams.get("sort")) ?? ("newest" as const);
  const after = readText(searchParams, "after", 60);
  const page = await listAllFiles(context.get(siteContext), context.get(viewerContext), { ownerId, sort, after, limit: 50 });
  return { ...page, ownerId, sort, after };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Files" });

export default function FilesPage({ loaderData: { files, next, ownerId, sort, after } }: Route.ComponentProps) {
  const chosen = { user: ownerId, sort: sort === "newest" ? "" : sort };
  const isNarrowed = ownerId !== "" || after !== "";
  return (
    <>
      <PageHead title="Files" line="Everything members have uploaded. Views are recorded in the audit log." />
      <ListFilters action={path} label="Files" className="mt-6" chosen={chosen} searches={searches} selects={selects} button="Apply" />
      {files.length > 0 ? (
        <FilesTable files={files} />
      ) : (
        <EmptyState art="search" title="No files found" text={isNarrowed ? "Try a different filter." : "No uploads yet"}>
          {isNarrowed && <ButtonLink to={path}>Show all files</ButtonLink>}
        </EmptyState>
      )}
      <CursorNav
        {...{ after, next }}
        hrefOf={(cursor) => listPath(path, { ...chosen, after: cursor })}
        {...(sort === "largest" && { labels: { first: "Largest", next: "Smaller" } })}
      />
    </>
  );
}
