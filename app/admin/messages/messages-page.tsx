import { useState } from "react";
import { useLocation, useNavigation, useRevalidator } from "react-router";
import { useResultToasts } from "#app/admin/moderation/use-moderation.tsx";
import type { ModerationResult } from "#app/admin/posts/post-moderation.ts";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath, pageParams, readPageParams, readText } from "#app/admin/table/page-params.ts";
import { Pagination } from "#app/admin/table/pagination.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckCheck, Mail, MessageCircle, SlidersHorizontal, Users } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { fullCount, pluralize } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { findCorrespondents, listAllMessages, searchScanRows } from "#domain/messages/admin-messages.server.ts";
import { adminMessageTexts, type MessageCounts, messageSorts } from "#domain/messages/admin-messages.ts";
import type { Route } from "./+types/messages-page.ts";
import { removeMessage } from "./messages-action.server.ts";
import { MessagesTable } from "./messages-table.tsx";

const path = "/admin/messages";
const pageSize = 50;

const searches = [
  { name: "q", placeholder: "Search message content..." },
  { name: "user", placeholder: "Filter by name or user ID...", maxLength: 100, className: "w-full sm:w-64" },
];
const sorts = optionsOf({ "": "Newest first", oldest: "Oldest first" });
const selects = [{ name: "sort", label: "Sort", options: sorts }];

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const user = readText(searchParams, "user", 100);
  const members = user === "" ? [] : await findCorrespondents(site, viewer, user);
  const [only] = members.length === 1 ? members : [];
  const filter = {
    search: readText(searchParams, "q"),
    // When several members match, the administrator chooses one first.
    userId: only?.id ?? user,
    sort: messageSorts.find((each) => each === searchParams.get("sort")) ?? ("newest" as const),
  };
  const listing = { ...filter, limit: pageSize, ...readPageParams(searchParams) };
  const found = await listAllMessages(site, viewer, listing);
  const isFiltered = filter.search !== "" || filter.userId !== "" || filter.sort !== "newest";
  const filters = searchParams.get("filters");
  const open = filters === null ? isFiltered : filters !== "0";
  return { filter, user: only?.name ?? user, members, open, scanned: searchScanRows, ...found };
}

export async function action({ request, context }: Route.ActionArgs) {
  return removeMessage(context.get(siteContext), context.get(viewerContext), request, await readForm(request));
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { tone: "error", text: adminMessageTexts.deleteFailed } satisfies ModerationResult);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Messages Management" });

export default function MessagesPage({ loaderData, actionData }: Route.ComponentProps) {
  useResultToasts(actionData);
  const { filter, user, members, scanned, messages, counts, page, isPart } = loaderData;
  const [toggled, setToggled] = useState<boolean>();
  const open = toggled ?? loaderData.open;
  const revalidating = useRevalidator().state === "loading";
  const loading = useNavigation().location?.pathname === path || revalidating;
  const found = `${pluralize(counts.total, "message")} ${isFiltered(filter) ? (counts.total === 1 ? "matches" : "match") : "in total"}`;
  const chosen = { q: filter.search, user: filter.userId, sort: filter.sort === "newest" ? "" : filter.sort };
  const hrefOf = (to: number) => listPath(path, { ...chosen, ...pageParams({ page, first: messages[0]?.id }, to) });
  return (
    <>
      <PageHead title="Messages Management" line={<span role="status">{loading ? "Loading messages..." : found}</span>}>
        <FiltersToggle open={open} toggle={() => setToggled(!open)} />
        <RefreshButton toast={adminMessageTexts.refreshed} />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(counts)} />
      {open && (
        <ListFilters
          {...{ searches, selects }}
          chosen={{ ...chosen, user }}
          action={path}
          label="Messages"
          className="mt-5 rounded-lg border border-line bg-raised p-4"
          hidden={{ filters: "1" }}
          button="Apply"
        />
      )}
      {members.length > 1 && (
        <p className="mt-4 flex flex-wrap gap-x-3 gap-y-1 text-base">
          Whose messages?
          {members.map(({ id, name }) => (
            <Link key={id} to={listPath(path, { ...chosen, user: id })} className="font-medium underline underline-offset-4">
              {name}
            </Link>
          ))}
        </p>
      )}
      {isPart && filter.search !== "" && (
        <p className="mt-4 text-sm text-ink-2">
          Searched the {filter.sort === "newest" ? "newest" : "oldest"} {fullCount(scanned)} messages. Filter by member to narrow it down.
        </p>
      )}
      {messages.length > 0 ? (
        <MessagesTable messages={messages}>
          {counts.total > pageSize && (
            <Pagination {...{ page, pageSize, hrefOf }} total={counts.total} shown={messages.length} noun="message" />
          )}
        </MessagesTable>
      ) : (
        <EmptyState art="messages" title="No messages found" text="Try adjusting your filters">
          {isFiltered(filter) && <ButtonLink to={path}>Show all messages</ButtonLink>}
        </EmptyState>
      )}
    </>
  );
}

function FiltersToggle({ open, toggle }: { open: boolean; toggle: () => void }) {
  const query = new URLSearchParams(useLocation().search);
  query.set("filters", open ? "0" : "1");
  const look = { variant: open ? "soft" : "secondary", icon: SlidersHorizontal, "aria-expanded": open, children: "Filters" } as const;
  return useHydrated() ? <Button onClick={toggle} {...look} /> : <ButtonLink to={`${path}?${query}`} {...look} />;
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
