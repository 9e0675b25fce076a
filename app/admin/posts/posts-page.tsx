import { useResultToasts } from "#app/admin/moderation/use-moderation.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles, type Tile } from "#app/admin/shell/stat-tiles.tsx";
import { useMay } from "#app/admin/shell/use-may.ts";
import { ConfirmBulk } from "#app/admin/table/confirm-bulk.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath, onlyNewestText, pageParams, readPageParams, readText } from "#app/admin/table/page-params.ts";
import { Pagination } from "#app/admin/table/pagination.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CircleCheck, FilePen, Newspaper, Pin, Star } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { fullCount } from "#domain/format.ts";
import { countForAdmin, listForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { isAdminSort } from "#domain/moderation/posts/moderation.ts";
import type { PostTotals } from "#domain/moderation/posts/post-totals.server.ts";
import type { Route } from "./+types/posts-page.ts";
import { moderationToasts, requestFailureResult } from "./post-moderation.ts";
import { moderate } from "./posts-action.server.ts";
import { PostsTable } from "./posts-table.tsx";

const path = "/admin/posts";
const pageSize = 20;

const searches = [{ name: "q", placeholder: "Search posts..." }];

const hiddenStatuses = { held: "Status: Held", deleted: "Status: Deleted" };
const statuses = optionsOf({ "": "Status: All", active: "Status: Published", inactive: "Status: Draft", ...hiddenStatuses });
const moderatorStatuses = optionsOf({ "": "Status: Published", ...hiddenStatuses });

const featuredChoices = optionsOf({ "": "Featured: All", true: "Featured: Yes", false: "Featured: No" });

const sorts = optionsOf({ "": "Sort: Newest", oldest: "Sort: Oldest", title: "Sort: Title", likes: "Sort: Likes", views: "Sort: Views" });

const half = "w-[calc(50%-6px)] sm:w-44";

const selectsOf = (seesDrafts: boolean) => [
  { name: "status", label: "Status", options: seesDrafts ? statuses : moderatorStatuses, className: half },
  { name: "featured", label: "Featured", options: featuredChoices, className: half },
  { name: "sort", label: "Sort", options: sorts },
];

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const filter = readFilter(url.searchParams);
  const [counters, listing] = await Promise.all([
    countForAdmin(site, viewer),
    listForAdmin(site, viewer, { ...filter, limit: pageSize, ...readPageParams(url.searchParams) }),
  ]);
  return { filter, counters, ...listing };
}

type Filter = ReturnType<typeof readFilter>;

function readFilter(params: URLSearchParams) {
  const [status, featured, sort] = [params.get("status"), params.get("featured"), params.get("sort")];
  return {
    search: readText(params, "q"),
    status: (["active", "inactive", "held", "deleted"] as const).find((each) => each === status) ?? ("all" as const),
    featured: featured === "true" || featured === "false" ? (featured as "true" | "false") : ("all" as const),
    sort: isAdminSort(sort) ? sort : ("newest" as const),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return moderate(context.get(siteContext), context.get(viewerContext), request);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return catchRequestFailure(serverAction, requestFailureResult(await request.clone().formData()));
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Posts" });

export default function PostsPage({ loaderData: { filter, counters, posts, total, page, isMore }, actionData }: Route.ComponentProps) {
  const may = useMay();
  useResultToasts(actionData && "tone" in actionData ? actionData : undefined);
  const chosen = chosenIn(filter);
  const hrefOf = (to: number) => listPath(path, { ...chosen, ...pageParams({ page, first: posts[0]?.id }, to) });
  return (
    <>
      <PageHead title="Posts" line={`${fullCount(total)}${isMore ? "+" : ""} ${total === 1 && !isMore ? "post" : "posts"}`}>
        <RefreshButton toast={moderationToasts.refreshed} />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(counters)} />
      <ListFilters
        action={path}
        label="Posts"
        className="mt-5"
        chosen={chosen}
        searches={searches}
        selects={selectsOf(may("read a draft"))}
      />
      {actionData && "confirm" in actionData && <ConfirmBulk {...actionData.confirm} />}
      {posts.length > 0 ? (
        <PostsTable posts={posts}>
          <Pagination {...{ page, pageSize, total, isMore, hrefOf }} shown={posts.length} noun="post" />
        </PostsTable>
      ) : (
        <NoPosts isFiltered={Object.values({ ...chosen, sort: "" }).some((value) => value !== "")} isMore={isMore} />
      )}
    </>
  );
}

function NoPosts({ isFiltered, isMore }: { isFiltered: boolean; isMore: boolean }) {
  if (!isFiltered) return <EmptyState art="search" title="No posts found" text="Stories appear here once someone writes one" />;
  return (
    <EmptyState art="search" title="No posts found" text={isMore ? onlyNewestText : "Try adjusting your filters"}>
      <ButtonLink to={path}>Show all posts</ButtonLink>
    </EmptyState>
  );
}

function tilesOf({ published, drafts, held, deleted, featured, pinned }: PostTotals): Tile[] {
  return [
    { label: "Total Posts", value: fullCount(published + drafts + held), note: hiddenNote({ held, deleted }), icon: Newspaper },
    { label: "Published", value: fullCount(published), icon: CircleCheck },
    { label: "Draft", value: fullCount(drafts), icon: FilePen },
    { label: "Featured", value: fullCount(featured), icon: Star },
    { label: "Pinned", value: fullCount(pinned), icon: Pin },
  ];
}

function hiddenNote({ held, deleted }: Pick<PostTotals, "held" | "deleted">) {
  if (held + deleted === 0) return undefined;
  return (
    <span className="flex flex-wrap gap-x-3">
      {Object.entries({ held, deleted }).map(
        ([status, count]) =>
          count > 0 && (
            <Link
              key={status}
              to={`${path}?status=${status}`}
              className="underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {fullCount(count)} {status}
            </Link>
          ),
      )}
    </span>
  );
}

function chosenIn({ search, status, featured, sort }: Filter) {
  const orNone = (value: string, usual: string) => (value === usual ? "" : value);
  return { q: search, status: orNone(status, "all"), featured: orNone(featured, "all"), sort: orNone(sort, "newest") };
}
