import { kindNames, type NotificationKind } from "#domain/notifications/kinds.ts";

export type Filter = { kind?: NotificationKind | undefined; onlyUnread: boolean };

export function readFilter(query: URLSearchParams): Filter {
  return { kind: kindNames.find((each) => each === query.get("kind")), onlyUnread: query.get("show") === "unread" };
}

export function notificationsPath({ kind, onlyUnread }: Filter, after = ""): string {
  const query = new URLSearchParams({ ...(onlyUnread && { show: "unread" }), ...(kind && { kind }), ...(after && { after }) });
  return query.size > 0 ? `/notifications?${query}` : "/notifications";
}
