import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath, onlyNewestText, pageParams, readPageParams, readText } from "#app/admin/table/page-params.ts";
import { Pagination } from "#app/admin/table/pagination.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Heart, PenLine, UserPlus, Users } from "#app/ui/icons.tsx";
import { fullCount, shortCount } from "#domain/format.ts";
import { countUsers, listUsers } from "#domain/profiles/admin-users.server.ts";
import { isUserSort, type UserTotals, userStates } from "#domain/profiles/admin-users.ts";
import type { Route } from "./+types/users-page.ts";
import { UsersTable } from "./users-table.tsx";

const path = "/admin/users";
const pageSize = 20;

const searches = [{ name: "q", placeholder: "Search users..." }];
const sorts = optionsOf({ "": "Sort: Newest", oldest: "Sort: Oldest", name: "Sort: Name" });
const states = optionsOf({ "": "Show: Everyone", suspended: "Show: Suspended", unconfirmed: "Show: Unconfirmed", staff: "Show: Staff" });
const half = "w-[calc(50%-6px)] sm:w-48";
const selects = [
  { name: "state", label: "Show", options: states, className: half },
  { name: "sort", label: "Sort", options: sorts, className: half },
];

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const sort = url.searchParams.get("sort");
  const filter = {
    search: readText(url.searchParams, "q"),
    state: userStates.find((each) => each === url.searchParams.get("state")),
    sort: isUserSort(sort) ? sort : ("newest" as const),
  };
  const [totals, listing] = await Promise.all([
    countUsers(site, viewer),
    listUsers(site, viewer, { ...filter, limit: pageSize, ...readPageParams(url.searchParams) }),
  ]);
  return { filter, totals, ...listing };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Users" });

export default function UsersPage({ loaderData: { filter, totals, users, total, page, isMore } }: Route.ComponentProps) {
  const many = `${fullCount(total)}${isMore ? "+" : ""}`;
  const chosen = { q: filter.search, state: filter.state ?? "", sort: filter.sort === "newest" ? "" : filter.sort };
  const hrefOf = (to: number) => listPath(path, { ...chosen, ...pageParams({ page, first: users[0]?.id }, to) });
  return (
    <>
      <PageHead title="Users" line={`${many} ${total === 1 && !isMore ? "member" : "members"}`}>
        <RefreshButton toast="Users refreshed" />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(totals)} />
      <ListFilters action={path} label="Users" className="mt-5" chosen={chosen} searches={searches} selects={selects} />
      {users.length > 0 ? (
        <UsersTable users={users}>
          <Pagination {...{ page, pageSize, total, isMore, hrefOf }} shown={users.length} noun="user" />
        </UsersTable>
      ) : (
        <EmptyState art="search" title="No users found" text={isMore ? onlyNewestText : "Try a different search or filter"}>
          <ButtonLink to={path}>Show all users</ButtonLink>
        </EmptyState>
      )}
    </>
  );
}

function tilesOf({ users, writers, newThisWeek, likes }: UserTotals) {
  return [
    { label: "Total Users", value: fullCount(users), icon: Users },
    { label: "Active Writers", value: fullCount(writers), icon: PenLine },
    { label: "New This Week", value: fullCount(newThisWeek), icon: UserPlus },
    { label: "Total Likes", value: shortCount(likes), exact: fullCount(likes), icon: Heart },
  ];
}
