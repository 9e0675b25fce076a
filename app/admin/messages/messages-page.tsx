import { CheckCheck, Mail, MessageCircle, SlidersHorizontal, Users } from "lucide-react";
import { useNavigation, useRevalidator } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { ListFilters } from "#app/admin/table/list-filters.tsx";
import { listAddress, placeFrom, readPlace, readText } from "#app/admin/table/list-place.ts";
import { Pagination } from "#app/admin/table/pagination.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { orLost } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { fullCount } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { listAllMessages, searchScanRows } from "#domain/messages/admin-messages.server.ts";
import { adminMessageTexts, type MessageCounts, messageSorts } from "#domain/messages/admin-messages.ts";
import type { Route } from "./+types/messages-page.ts";
import { removeMessage } from "./messages-action.server.ts";
import { MessagesTable } from "./messages-table.tsx";

const path = "/admin/messages";
const pageSize = 50;

const searches = [
  { name: "q", placeholder: "Search message content..." },
  { name: "user", placeholder: "Filter by user ID...", maxLength: 100, className: "w-full sm:w-64" },
];
const sorts = [
  { value: "", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
];
const selects = [{ name: "sort", label: "Sort", options: sorts }];

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const filter = {
    search: readText(searchParams, "q"),
    userId: readText(searchParams, "user", 100),
    sort: messageSorts.find((each) => each === searchParams.get("sort")) ?? ("newest" as const),
  };
  const listing = { ...filter, limit: pageSize, ...readPlace(searchParams) };
  const found = await listAllMessages(context.get(siteContext), context.get(viewerContext), listing);
  const isFiltered = filter.search !== "" || filter.userId !== "" || filter.sort !== "newest";
  return { filter, open: isFiltered || searchParams.has("filters"), looked: searchScanRows, ...found };
}

export async function action({ request, context }: Route.ActionArgs) {
  return removeMessage(context.get(siteContext), context.get(viewerContext), request, await readForm(request));
}

/** Without a connection the administrator is told, and the page stays as it is. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return orLost(serverAction, { tone: "error", text: adminMessageTexts.deleteFailed } satisfies ModerationAnswer);
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Messages Management" });

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  const { filter, open, looked, messages, counts, page, isPart } = loaderData;
  const revalidating = useRevalidator().state === "loading";
  const loading = useNavigation().location?.pathname === path || revalidating;
  const found = `${fullCount(counts.total)} messages${isFiltered(filter) ? " match" : " in total"}`;
  const chosen = { q: filter.search, user: filter.userId, sort: filter.sort === "newest" ? "" : filter.sort };
  const hrefOf = (to: number) => listAddress(path, { ...chosen, ...placeFrom({ page, first: messages[0]?.id }, to) });
  return (
    <>
      <PageHead title="Messages Management" line={<span role="status">{loading ? "Loading messages..." : found}</span>}>
        <ButtonLink
          to={open ? path : `${path}?filters=1`}
          variant={open ? "soft" : "secondary"}
          icon={SlidersHorizontal}
          aria-expanded={open}
          preventScrollReset
        >
          Filters
        </ButtonLink>
        <RefreshButton toast={adminMessageTexts.refreshed} />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(counts)} />
      {open && (
        <ListFilters
          {...{ chosen, searches, selects }}
          action={path}
          label="Messages"
          className="mt-5 rounded-lg border border-line bg-raised p-4"
          hidden={{ filters: "1" }}
          button="Apply"
        />
      )}
      {isPart && filter.search !== "" && (
        <p className="mt-4 text-sm text-ink-2">
          Searched the {filter.sort === "newest" ? "newest" : "oldest"} {fullCount(looked)} messages. Filter by user ID to narrow it down.
        </p>
      )}
      {messages.length > 0 ? (
        <MessagesTable messages={messages}>
          {counts.total > pageSize && (
            <Pagination {...{ page, pageSize, hrefOf }} total={counts.total} shown={messages.length} noun="messages" />
          )}
        </MessagesTable>
      ) : (
        <EmptyState art="letters" title="No messages found" text="Try adjusting your filters">
          {isFiltered(filter) && <ButtonLink to={path}>Show all messages</ButtonLink>}
        </EmptyState>
      )}
    </>
  );
}

function tilesOf({ total, read, unread, people }: MessageCounts) {
  return [
    { label: "Total Messages", value: fullCount(total), icon: MessageCircle },
    { label: "Read Messages", value: fullCount(read), icon: CheckCheck },
    { label: "Unread Messages", value: fullCount(unread), icon: Mail },
    { label: "Active Users", value: fullCount(people), icon: Users },
  ];
}

function isFiltered({ search, userId }: { search: string; userId: string }): boolean {
  return search !== "" || userId !== "";
}
