import { useRef, useState } from "react";
import { useUnreadCounts } from "#app/live/unread-counts.tsx";
import { useTypedSearch } from "#app/search/use-typed-search.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge, CounterBadge } from "#app/ui/badge.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SearchInput } from "#app/ui/field.tsx";
import { BellOff, Paperclip, SquarePen } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { unreadBadge } from "#domain/format.ts";
import { type ConversationPage, type ConversationSummary, type FoundPeople, listTime, messageTexts } from "#domain/messages/message.ts";
import { PeopleResults } from "./people-results.tsx";
import { useConversations } from "./use-conversations.ts";
import { useNow } from "./use-now.ts";
import { OnlineDot, useOnline } from "./use-online.tsx";

type ConversationListProps = { viewerId: string; first: ConversationPage; cursor: string; current: string | undefined };

export function ConversationList({ viewerId, first, cursor, current }: ConversationListProps) {
  const { conversations, next, loading, loadMore } = useConversations(viewerId, first, cursor);
  const online = useOnline(conversations.slice(0, 30).map(({ partner }) => partner.id));
  const { unread } = useUnreadCounts();
  const hydrated = useHydrated();
  const isOn = useRoot().site.features.messages;
  // A chat's page has its partner's name as h1.
  const Heading = current ? "h2" : "h1";
  const [name, setName] = useState("");
  const people = useTypedSearch<FoundPeople>("/messages/people", name);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="flex h-16 shrink-0 items-center gap-3 px-5 lg:h-[72px]">
        <Heading className="display mr-auto text-t3">Messages</Heading>
        {unread > 0 && (
          <Badge tone="accent">
            <span className="num">{unreadBadge(unread)} unread</span>
          </Badge>
        )}
        {hydrated && isOn && <IconButton label="New message" icon={SquarePen} onClick={() => field.current?.focus()} className="-mr-2" />}
      </div>
      {hydrated && isOn && (
        <search className="shrink-0 px-5 pb-3">
          <SearchInput
            ref={field}
            label="Find someone to write to"
            placeholder="Search people"
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setName("")}
            quiet
          />
        </search>
      )}
      {name.trim() !== "" ? (
        <PeopleResults found={people.found} isLoadFailed={people.state === "failed"} onChoose={() => setName("")} />
      ) : conversations.length === 0 ? (
        <EmptyState art="messages" title="No messages yet" text={isOn ? startHint : messageTexts.turnedOff} />
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
          {conversations.map((each) => (
            <Row key={each.partner.id} conversation={each} isCurrent={each.partner.id === current} isOnline={online.has(each.partner.id)} />
          ))}
          {next && (
            <li className="flex justify-center py-3">
              {hydrated ? (
                <Button size="sm" busy={loading} onClick={loadMore}>
                  Load more
                </Button>
              ) : (
                <Link to={`?after=${next}`} className="text-sm font-medium text-accent-ink underline">
                  Load more
                </Link>
              )}
            </li>
          )}
        </ul>
      )}
    </>
  );
}

const startHint = "Search for someone above, or open a writer’s profile and choose Message.";

type RowProps = { conversation: ConversationSummary; isCurrent: boolean; isOnline: boolean };

function Row({ conversation: { partner, lastMessage, unreadCount, muted }, isCurrent, isOnline }: RowProps) {
  const { now, timeZone } = useNow();
  const isUnread = unreadCount > 0;
  return (
    <li className={classNames("relative rounded-md", isCurrent ? "bg-raised shadow-sm" : "hover:bg-hover")}>
      {isCurrent && <span aria-hidden className="absolute top-3 bottom-3 left-0 w-[3px] rounded-full bg-accent" />}
      <Link
        to={`/messages/${partner.id}`}
        state={{ partner }}
        aria-current={isCurrent ? "page" : undefined}
        className="flex items-center gap-3 rounded-md px-3 py-3 -outline-offset-2"
      >
        <span className="relative shrink-0">
          <Avatar {...partner} size={48} />
          {isOnline && <OnlineDot />}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={classNames("flex-1 truncate text-base", isUnread ? "font-semibold" : "font-medium")}>{partner.name}</span>
            {muted && <BellOff aria-label="Muted" className="size-3.5 shrink-0 self-center text-ink-3" />}
            <time
              dateTime={new Date(lastMessage.createdAt).toISOString()}
              className={classNames("num text-xs", isUnread ? "font-medium text-accent-ink" : "text-ink-3")}
            >
              {listTime(lastMessage.createdAt, now, timeZone)}
            </time>
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span className={classNames("flex-1 truncate text-sm", isUnread ? "text-ink" : "text-ink-2")}>
              {lastMessage.isFile && <Paperclip aria-label="File" className="mr-1 inline-block size-3.5 align-[-2px]" />}
              {lastMessage.preview}
            </span>
            <CounterBadge count={unreadCount} label="unread" />
          </span>
        </span>
      </Link>
    </li>
  );
}
