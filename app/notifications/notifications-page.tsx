import { data, Form, redirect, useNavigation } from "react-router";
import { SettingsLayout } from "#app/accounts/settings-layout.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { useRevalidateOn } from "#app/live/use-live.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckCheck, Settings } from "#app/ui/icons.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import type { LiveEvent } from "#domain/live.ts";
import { ownTopic } from "#domain/messages/message.ts";
import { isNew } from "#domain/notification-channels/entry.ts";
import { listNotifications } from "#domain/notification-channels/list.server.ts";
import { markAllRead, markRead } from "#domain/notification-channels/marking.server.ts";
import { kindNames, notificationKinds } from "#domain/notifications/kinds.ts";
import type { Route } from "./+types/notifications-page.ts";
import { NotificationItem } from "./notification-item.tsx";
import { type Filter, notificationsPath, readFilter } from "./notifications-path.ts";

const perPage = 20;

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const cursor = site.events.latest();
  const filter = readFilter(url.searchParams);
  const after = url.searchParams.get("after");
  const loadedAt = site.now();
  const page = await listNotifications(site, viewer, { ...filter, after, limit: perPage });
  return { filter, after, cursor, loadedAt, ...page };
}

type ActionResult = { failed?: string };

/** Scripts mark an opened notification as read; forms come back to the list. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request);
  const { kind, onlyUnread } = readFilter(url.searchParams);
  if (form.get("do") === "all")
    await markAllRead(site, viewer, { until: wholeNumber(form.get("until"), Number.MAX_SAFE_INTEGER) ?? 0, kind });
  else await markRead(site, viewer, [String(form.get("id") ?? "")]);
  if (form.get("scripted") === "yes") return data<ActionResult>({});
  return redirect(notificationsPath({ kind, onlyUnread }, url.searchParams.get("after") ?? ""));
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { failed: connectionLost } satisfies ActionResult);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Notifications" });

export default function NotificationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { entries, next, after, filter, cursor, loadedAt } = loaderData;
  const { now, viewer } = useRoot();
  useRevalidateOn(viewer ? [ownTopic(viewer.id)] : [], cursor, (event) => !changesThisList(event));
  return (
    <SettingsLayout
      back={{ to: "/profile", label: "Profile" }}
      title="Notifications"
      actions={<Actions filter={filter} loadedAt={loadedAt} isAnyUnread={entries.some(isNew)} />}
    >
      {actionData?.failed && (
        <p role="alert" className="mb-4 text-base text-danger">
          {actionData.failed}
        </p>
      )}
      <Filters filter={filter} />
      {entries.length > 0 ? (
        <ul aria-label="Notifications" className="divide-y divide-line border-b border-line">
          {entries.map((entry) => (
            <NotificationItem key={entry.id} entry={entry} now={now} here={notificationsPath(filter, after ?? "")} />
          ))}
        </ul>
      ) : (
        <Nothing filter={filter} />
      )}
      {(after || next) && <CursorNav after={after} next={next} hrefOf={(place) => notificationsPath(filter, place)} />}
    </SettingsLayout>
  );
}

function changesThisList({ type }: LiveEvent): boolean {
  return type === "notification.changed" || type === "message.created" || type === "conversation.read" || type === "gap";
}

function Actions({ filter, loadedAt, isAnyUnread }: { filter: Filter; loadedAt: number; isAnyUnread: boolean }) {
  const { state, formData } = useNavigation();
  return (
    <div className="flex flex-wrap gap-2">
      {isAnyUnread && (
        <Form method="post" action={notificationsPath(filter)} preventScrollReset>
          <input type="hidden" name="until" value={loadedAt} />
          <Button type="submit" name="do" value="all" icon={CheckCheck} busy={state !== "idle" && formData?.get("do") === "all"}>
            Mark all as read
          </Button>
        </Form>
      )}
      <ButtonLink to="/notifications/settings" variant="ghost" icon={Settings}>
        Settings
      </ButtonLink>
    </div>
  );
}

function Filters({ filter: { kind, onlyUnread } }: { filter: Filter }) {
  const everything = { to: notificationsPath({ onlyUnread }), label: "All types", current: kind === undefined };
  const kinds = kindNames.map((each) => ({
    to: notificationsPath({ kind: each, onlyUnread }),
    label: notificationKinds[each].label,
    current: each === kind,
  }));
  return (
    <>
      <Segmented
        label="Read or unread"
        value={onlyUnread ? "unread" : "all"}
        segments={[
          { value: "all", label: "All", to: notificationsPath({ kind, onlyUnread: false }) },
          { value: "unread", label: "Unread", to: notificationsPath({ kind, onlyUnread: true }) },
        ]}
      />
      <Tabs label="Kinds of notifications" tabs={[everything, ...kinds]} className="mt-3" />
    </>
  );
}

function Nothing({ filter: { kind, onlyUnread } }: { filter: Filter }) {
  if (onlyUnread) return <EmptyState art="calm" title="You’re all caught up" text="You’ve read everything here." className="py-14" />;
  if (kind !== undefined)
    return <EmptyState art="calm" title="Nothing here yet" text="You have no notifications of this kind." className="py-14" />;
  return (
    <EmptyState
      art="calm"
      title="No notifications yet"
      text="When someone follows you, likes your stories or messages you, you’ll see it here."
      className="py-14"
    />
  );
}
