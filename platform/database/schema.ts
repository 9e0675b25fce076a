import type { ColumnType, Generated } from "kysely";
import type { ApiKeyRow, EmailChangeRow, KnownDeviceRow, SecurityEventRow } from "#platform/database/rows/account-security-rows.ts";
import type { AuditRow } from "#platform/database/rows/audit-rows.ts";
import type { BackupRunRow, JobRow } from "#platform/database/rows/backup-rows.ts";
import type { MemberCountersRow, RankingRow } from "#platform/database/rows/counter-rows.ts";
import type { EvidenceRow } from "#platform/database/rows/evidence-rows.ts";
import type { FaultRow } from "#platform/database/rows/fault-rows.ts";
import type { FileRow, MemberStorageRow } from "#platform/database/rows/file-rows.ts";
import type { NewsletterRow } from "#platform/database/rows/newsletter-rows.ts";
import type { NotificationPreferenceRow, NotificationRow, NotificationSettingsRow } from "#platform/database/rows/notification-rows.ts";
import type { OutboxRow, RefusedAddressRow } from "#platform/database/rows/outbox-rows.ts";
import type { PushTables } from "#platform/database/rows/push-rows.ts";
import type { RuleRow } from "#platform/database/rows/rule-rows.ts";
import type { WebhookDeliveryRow, WebhookRow } from "#platform/database/rows/webhook-rows.ts";

/** Times are milliseconds since 1970, except Better Auth's dates. */
export type Tables = PushTables & {
  users: UserRow;
  sessions: SessionRow;
  administrators: { userId: string; createdAt: number; role: Generated<string> };
  session_verifications: { sessionId: string; verifiedAt: number };
  barred_addresses: { fingerprint: string; until: number };
  accounts: AccountRow;
  passkeys: PasskeyRow;
  two_factors: { id: string; userId: string; verified: boolean | null; confirmedAt: Generated<number | null> };
  email_changes: EmailChangeRow;
  known_devices: KnownDeviceRow;
  security_events: SecurityEventRow;
  deleted_accounts: { userId: string; deletedAt: number };
  deletion_cleanups: { number: Generated<number>; userId: string; address: string | null; words: string; postIds: string };
  verifications: { id: string; identifier: string; value: string; expiresAt: LibraryDate; createdAt: LibraryDate; updatedAt: LibraryDate };
  attempts: { kind: string; subject: string; network: string; count: number; endsAt: number };
  files: FileRow;
  member_storage: MemberStorageRow;
  file_pieces: { fileId: string; number: number };
  notifications: NotificationRow;
  notification_preferences: NotificationPreferenceRow;
  notification_settings: NotificationSettingsRow;
  story_emails: { postId: string; dueAt: number; lastUserId: Generated<string>; lastDevice: Generated<number> };
  api_keys: ApiKeyRow;
  preferences: { userId: string; prefs: string; updatedAt: number };
  posts: PostRow;
  fetched_pictures: { postId: string; address: string; fileId: string; shownAs: string };
  picture_queue: { postId: string };
  post_files: { postId: string; fileId: string };
  working_copies: WorkingCopyRow;
  copy_files: { copyId: string; fileId: string };
  finished_drafts: { userId: string; copyId: string; writer: string; writerCount: number; finishedAt: number };
  versions: VersionRow;
  search_words: { number: Generated<number>; word: string; variants: string };
  likes: ReactionRow;
  bookmarks: ReactionRow;
  views: { postId: string; viewerKey: string; endsAt: number };
  profiles: ProfileRow;
  follows: { id: Generated<string>; followerId: string; followedId: string; createdAt: number };
  follow_counts: { userId: string; followers: number; following: number };
  conversations: ConversationRow;
  messages: MessageRow;
  participants: ParticipantRow;
  blocks: { userId: string; blockedId: string; createdAt: number };
  deleted_messages: DeletedMessageRow;
  subscribers: { email: string; token: string; createdAt: number; confirmedAt: number | null };
  newsletters: NewsletterRow;
  outbox: OutboxRow;
  refused_addresses: RefusedAddressRow;
  events: EventRow;
  settings: { name: string; value: string };
  audit_log: AuditRow;
  adjusted_likes: ReactionRow;
  removed_likes: { actionId: string; userId: string; id: string; createdAt: number; removedAt: number };
  uptime: { minute: number };
  reports: ReportRow;
  report_evidence: EvidenceRow;
  moderation_actions: ModerationActionRow;
  suspensions: { userId: string; actionId: string; until: number };
  rules: RuleRow;
  page_texts: PageTextRow;
  report_counts: { status: ReportRow["status"]; count: number };
  counters: { name: string; shard: number; value: number };
  daily_counters: { name: string; day: number; shard: number; value: number };
  member_counters: MemberCountersRow;
  rankings: RankingRow;
  draft_rankings: Pick<RankingRow, "number" | "views" | "likes">;
  member_texts: { number: Generated<number>; userId: string; text: string };
  backup_runs: BackupRunRow;
  jobs: JobRow;
  faults: FaultRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  definitions: { name: string; hash: string; drops: string };
};

type LibraryDate = string | Date;

type UserRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  twoFactorEnabled: Generated<boolean | null>;
  /** Increased to void links, trusted browsers and pending changes. */
  securityEpoch: Generated<number>;
  createdAt: LibraryDate;
  updatedAt: LibraryDate;
};

type AccountRow = { id: string; userId: string; providerId: string; password: string | null; updatedAt: LibraryDate };

type PasskeyRow = {
  id: string;
  userId: string;
  name: string | null;
  credentialID: string;
  aaguid: string | null;
  createdAt: LibraryDate | null;
};

export type SessionRow = {
  id: string;
  userId: string;
  token: string;
  expiresAt: LibraryDate;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: LibraryDate;
  updatedAt: LibraryDate;
};

export type PostRow = {
  number: Generated<number>;
  id: string;
  userId: string;
  userName: string;
  title: string;
  content: string;
  markdown: string | null;
  summary: string;
  plainText: string;
  searchTitle: Generated<string>;
  searchAuthor: Generated<string>;
  searchText: Generated<string>;
  words: number;
  featuredImage: string | null;
  status: "active" | "inactive";
  featured: boolean;
  pinned: boolean;
  views: number;
  likesCount: number;
  adjustedLikes: Generated<number>;
  bookmarksCount: number;
  version: Generated<number>;
  updatedBy: Generated<string | null>;
  heldBy: Generated<string | null>;
  publishedAt: number | null;
  /** Null for the first release's stories: `publishedAt` applies. */
  createdAt: ColumnType<number | null, number, number>;
  updatedAt: number;
};

export type WorkingCopyRow = {
  id: string;
  userId: string;
  postId: string | null;
  postVersion: number | null;
  title: string;
  slug: string;
  slugTyped: boolean;
  markdown: string;
  status: "active" | "inactive";
  featuredImage: string | null;
  revision: number;
  writer: string;
  writerCount: number;
  keptAt: number;
  createdAt: number;
  updatedAt: number;
};

export type VersionRow = {
  id: string;
  postId: string | null;
  copyId: string | null;
  userId: string | null;
  title: string;
  markdown: string;
  createdAt: number;
};

type ReactionRow = { id: Generated<string>; postId: string; userId: string; createdAt: number };

type ProfileRow = {
  userId: string;
  userName: string;
  bio: string;
  location: string;
  website: string;
  twitter: string;
  github: string;
  linkedIn: string;
  profileImage: string | null;
  createdAt: number;
  updatedAt: number;
};

type ConversationRow = { id: string; firstUserId: string; secondUserId: string; lastNumber: number; updatedAt: number };

type MessageRow = {
  id: string;
  conversationId: string;
  number: number;
  sendId: string;
  senderId: string;
  receiverId: string;
  message: string;
  isRead: boolean;
  fileId: string | null;
  folded: Generated<string>;
  createdAt: number;
  /** Visible to its sender only. */
  withheld: Generated<boolean>;
};

export type ParticipantRow = {
  userId: string;
  partnerId: string;
  conversationId: string;
  lastNumber: number | null;
  lastAt: number | null;
  unreadCount: number;
  readNumber: number;
  muted: boolean;
  emailDueAt: Generated<number | null>;
};

type DeletedMessageRow = Pick<MessageRow, "senderId" | "sendId" | "conversationId" | "id" | "number" | "createdAt">;

type EventRow = { number: Generated<number>; topic: string; type: string; data: string; createdAt: number };

/** `before`: JSON. */
export type ModerationActionRow = {
  number: Generated<number>;
  id: string;
  kind: "hold" | "unpublish" | "delete" | "suspend" | "clear" | "publish" | "feature" | "unfeature" | "pin" | "unpin" | "likes" | "views";
  subject: string;
  title: string;
  memberId: string;
  moderatorId: string | null;
  moderatorName: string;
  ruleId: string | null;
  reason: string;
  before: string;
  batchId: string | null;
  createdAt: number;
  endsAt: number | null;
  undoneAt: number | null;
  seenAt: number | null;
};

export type PageTextRow = {
  path: string;
  title: string;
  lead: string;
  markdown: string;
  content: string;
  version: number;
  updatedAt: number;
};

export type ReportRow = {
  number: Generated<number>;
  id: string;
  kind: "post" | "profile" | "message" | "appeal";
  subjectId: string;
  ownerId: string | null;
  reporterId: string | null;
  reason: string;
  note: string;
  excerpt: string;
  status: "pending" | "resolved" | "dismissed";
  answer: Generated<string>;
  answerSeenAt: Generated<number | null>;
  /** JSON: the reporter's additions while it was pending. */
  additions: Generated<string>;
  createdAt: number;
  updatedAt: number;
};
