/** Collections of the API: its clients get events of records that are created, changed and removed. */
export const collectionNames = ["posts", "profiles", "likes", "bookmarks", "messages", "conversations", "follows", "reports"] as const;
export type CollectionName = (typeof collectionNames)[number];
export type ListName = CollectionName | "files";

export type Topic = "webhooks" | "posts" | "profiles" | "reports" | "settings" | `post:${string}` | `profile:${string}` | `user:${string}`;

type Value = string | number | boolean | null;
type Data = Record<string, Value>;
type Part = { topic: Topic; data: Data };

export type RemovedRow = Data & { id: string };
type RecordChange =
  | { list: ListName; action: "create" | "update"; id: string }
  | { list: ListName; action: "delete"; was: RemovedRow }
  | ReadMessages;
/** One event per range; API clients get one per message. */
type ReadMessages = { list: "conversations"; action: "read"; id: string; readerId: string; first: number; last: number };
type Account = { list: "users"; action: `update.${AccountPart}`; id: string };
export type AccountPart = "name" | "email" | "password" | "prefs";

type Id = { id: string };
type Author = { userId: string; userName: string };
type Profile = { userId: string; name: string; profileImage: string | null };
type Reaction = {
  reaction: "likes" | "bookmarks";
  postId: string;
  userId: string;
  on: boolean;
  count: number;
  record: string | RemovedRow;
};
/** `removed`, `restored`: readers' likes. */
type AdjustedLikes = { postId: string; count: number; removed: RemovedRow[]; restored: string[] };
type Follow = { followerId: string; followedId: string; following: boolean; record: string | RemovedRow };
/** `unread` counts the conversation's unread messages for both members. `withheld`: only the sender sees it. */
type Message = { id: string; senderId: string; receiverId: string; number: number; withheld: boolean; unread: UnreadCounts };
type UnreadCounts = { sender: number; receiver: number };
/** Messages `first` to `number` are now read and `unread` remain; `id` is the conversation's. */
type ReadRange = { id: string; userId: string; partnerId: string; first: number; number: number; unread: number };
type Chat = { members: { userId: string; partnerId: string }[]; number: number } & RemovedMessages;
/** `conversations`: the sides that have no message left. */
export type RemovedMessages = { messages: RemovedRow[]; conversations: RemovedRow[] };

/**
 * All observable changes, published with `tx.changed(kind, data)`. `topics` go to browsers, `records` to API clients.
 * `allowedTopics` and `mayReceive` decide who receives them.
 */
export const changes = {
  "post.created": row({ records: ({ id }: Id) => [created("posts", id)] }),
  "post.published": row({ topics: ({ id, ...author }: Id & Author) => [onTopic("posts", { id, ...author })] }),
  "post.changed": row({ topics: ({ id }: Id) => [onTopic(`post:${id}`, { id })], records: ({ id }) => [updated("posts", id)] }),
  /** `was`: the record as API clients saw it that can no longer read it. */
  "post.hidden": row({
    topics: ({ id }: Id & { was?: RemovedRow | undefined }) => [onTopic(`post:${id}`, { id })],
    records: ({ id, was }) => [updated("posts", id), ...(was ? [removedDocumentChange("posts", was)] : [])],
  }),
  "post.removed": row({
    topics: ({ id }: RemovedRow) => [onTopic(`post:${id}`, { id })],
    records: (was) => [removedDocumentChange("posts", was)],
  }),
  /** Deleted with its author's account; nothing of it is logged. */
  "post.forgotten": row({
    isBroadcast: true,
    topics: ({ id }: RemovedRow) => [onTopic(`post:${id}`, { id })],
    records: (was) => [removedDocumentChange("posts", was)],
  }),

  "reaction.changed": row({
    // Readers get the count; only the member's own tabs get `on`.
    topics: ({ reaction, postId, userId, on: isOn, count }: Reaction) => [
      onTopic(`post:${postId}`, { reaction, postId, count }),
      onTopic(`user:${userId}`, { reaction, postId, count, on: isOn }),
    ],
    records: ({ reaction, record }) => [typeof record === "string" ? created(reaction, record) : removedDocumentChange(reaction, record)],
  }),
  "likes.adjusted": row({
    topics: ({ postId, count }: AdjustedLikes) => [onTopic(`post:${postId}`, { reaction: "likes", postId, count })],
    records: ({ postId, removed, restored }) => [
      updated("posts", postId),
      ...removed.map((was) => removedDocumentChange("likes", was)),
      ...restored.map((id) => created("likes", id)),
    ],
  }),

  "profile.created": row({ topics: aboutProfile, records: ({ userId }) => [created("profiles", userId)] }),
  "profile.changed": row({ topics: aboutProfile, records: ({ userId }) => [updated("profiles", userId)] }),
  "account.renamed": row({
    topics: ({ userId }: { userId: string }) => [onTopic(`profile:${userId}`, { userId })],
    records: ({ userId }) => [accountChange("name", userId)],
  }),
  "account.changed": row({
    records: ({ userId, part }: { userId: string; part: Exclude<AccountPart, "name"> }) => [accountChange(part, userId)],
  }),

  "follow.changed": row({
    topics: ({ followerId, followedId, following }: Follow) => [
      onTopic(`user:${followerId}`, { userId: followedId, following }),
      onTopic(`profile:${followedId}`, { userId: followedId }),
    ],
    records: ({ record }) => [typeof record === "string" ? created("follows", record) : removedDocumentChange("follows", record)],
  }),

  "message.created": row({
    topics: ({ id, senderId, receiverId, number, withheld, unread }: Message) => [
      ...(withheld ? [] : [onTopic(`user:${receiverId}`, { id, partnerId: senderId, number, own: false, unread: unread.receiver })]),
      onTopic(`user:${senderId}`, { id, partnerId: receiverId, number, own: true, unread: unread.sender }),
    ],
    records: ({ id }) => [created("messages", id)],
  }),
  "message.deleted": row({
    topics: ({ senderId, receiverId, number, withheld }: Omit<Message, "id" | "unread"> & RemovedMessages) => [
      onTopic(`user:${senderId}`, { partnerId: receiverId, number }),
      ...(withheld ? [] : [onTopic(`user:${receiverId}`, { partnerId: senderId, number })]),
    ],
    records: removedMessages,
  }),
  "chat.deleted": row({
    topics: ({ members, number }: Chat) => members.map(({ userId, partnerId }) => onTopic(`user:${userId}`, { partnerId, number })),
    records: removedMessages,
  }),
  "conversation.read": row({
    topics: ({ userId, partnerId, number, unread }: ReadRange) => [
      onTopic(`user:${partnerId}`, { partnerId: userId, number, own: false as const }),
      onTopic(`user:${userId}`, { partnerId, number, own: true as const, unread }),
    ],
    records: ({ id, userId, first, number }) => [{ list: "conversations", action: "read", id, readerId: userId, first, last: number }],
  }),
  "conversation.changed": row({
    topics: ({ userId, partnerId }: { id?: string; userId: string; partnerId: string }) => [onTopic(`user:${userId}`, { partnerId })],
    records: ({ id }) => (id ? [updated("conversations", id)] : []),
  }),

  "notification.changed": row({ topics: ({ userId }: { userId: string }) => [onTopic(`user:${userId}`, { userId })] }),

  "report.created": row({ topics: ({ id }: Id) => [onTopic("reports", { id })], records: ({ id }) => [created("reports", id)] }),
  "report.changed": row({
    topics: ({ id, status }: Id & { status: string }) => [onTopic("reports", { id, status })],
    records: ({ id }) => [updated("reports", id)],
  }),
  "moderation.undone": row({ topics: ({ id }: Id) => [onTopic("reports", { id })] }),

  "file.created": row({ records: ({ id }: Id) => [created("files", id)] }),
  "file.changed": row({ records: ({ id }: Id) => [updated("files", id)] }),
  "file.removed": row({ records: (was: RemovedRow) => [removedDocumentChange("files", was)] }),

  "member.joined": row({ topics: (_: { userId: string; name: string }) => [] }),
  "account.suspended": row({ topics: (_: { userId: string }) => [] }),
  "webhooks.changed": row({ topics: (_: Record<string, never>) => [onTopic("webhooks", {})] }),

  "settings.changed": row({ topics: (_: Record<string, never>) => [onTopic("settings", {})] }),
};

export type ChangeKind = keyof typeof changes;
export type ChangeOf<Kind extends ChangeKind> = Parameters<(typeof changes)[Kind]["topics"]>[0];

type Row<Change, TopicEvent extends Part> = {
  topics: (change: Change) => TopicEvent[];
  records: (change: Change) => (RecordChange | Account)[];
  /** Sent after the commit to current listeners and not stored; other changes go to the event log. */
  isBroadcast: boolean;
};
type RowInput<Change, TopicEvent extends Part> = Partial<Row<Change, TopicEvent>>;

function row<Change, TopicEvent extends Part = never>({
  topics,
  records,
  isBroadcast,
}: RowInput<Change, TopicEvent>): Row<Change, TopicEvent> {
  return { topics: topics ?? (() => []), records: records ?? (() => []), isBroadcast: isBroadcast ?? false };
}

function onTopic<On extends Topic, Payload extends Data>(topic: On, data: Payload): { topic: On; data: Payload } {
  return { topic, data };
}

function aboutProfile({ userId, name, profileImage }: Profile) {
  return [onTopic(`profile:${userId}`, { userId }), onTopic("profiles", { userId, name, profileImage })];
}

function created(list: ListName, id: string): RecordChange {
  return { list, action: "create", id };
}

function updated(list: ListName, id: string): RecordChange {
  return { list, action: "update", id };
}

function removedDocumentChange(list: ListName, was: RemovedRow): RecordChange {
  return { list, action: "delete", was };
}

function removedMessages({ messages, conversations }: RemovedMessages): RecordChange[] {
  const gone = conversations.map((was) => removedDocumentChange("conversations", was));
  return [...messages.map((was) => removedDocumentChange("messages", was)), ...gone];
}

function accountChange(part: AccountPart, id: string): Account {
  return { list: "users", action: `update.${part}`, id };
}

export const documentsTopic = "documents";

function dataOf(record: RecordChange | Account): Data {
  if (record.action === "delete") return record.was;
  if (record.action !== "read") return { id: record.id };
  const { list: _list, action: _action, ...read } = record;
  return read;
}

export type Outgoing = { topic: string; type: string; data: Data };

export function changeParts<Kind extends ChangeKind>(kind: Kind, change: ChangeOf<Kind>): Outgoing[] {
  const { topics, records } = changes[kind] as unknown as Row<ChangeOf<Kind>, Part>;
  const live = topics(change).map(({ topic, data }) => ({ topic, type: kind, data }));
  const api = records(change).map((record) => ({
    topic: documentsTopic,
    type: `${record.list}.${record.action}`,
    data: dataOf(record),
  }));
  return [...live, ...api];
}

type PartOf<Kind extends ChangeKind> = ReturnType<(typeof changes)[Kind]["topics"]>[number];
type TypedPart<Kind extends ChangeKind> =
  PartOf<Kind> extends infer TopicEvent ? (TopicEvent extends Part ? TopicEvent & { type: Kind } : never) : never;

export type LiveChange = { [Kind in ChangeKind]: TypedPart<Kind> }[ChangeKind];

/** Emptied by an account deletion. */
export function isEmptied({ type, data }: { type: string; data: object }): boolean {
  return type in changes && Object.keys(data).length === 0;
}
