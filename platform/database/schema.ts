import type { Generated } from "kysely";

/** The rows as they stand in the database. Times are milliseconds since 1970, but for the accounts library's dates. */
export type Tables = {
  users: UserRow;
  sessions: SessionRow;
  administrators: { userId: string; createdAt: number };
  attempts: { key: string; count: number; endsAt: number };
  files: FileRow;
  posts: PostRow;
  search_words: { number: Generated<number>; word: string };
  likes: ReactionRow;
  bookmarks: ReactionRow;
  views: { postId: string; viewerKey: string; endsAt: number };
  profiles: ProfileRow;
  conversations: ConversationRow;
  messages: MessageRow;
  subscribers: { email: string; token: string; createdAt: number; confirmedAt: number | null };
  events: EventRow;
};

/** Text on SQLite, a Date on PostgreSQL: pass it through `new Date()`. */
type LibraryDate = string | Date;

export type UserRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  createdAt: LibraryDate;
  updatedAt: LibraryDate;
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

export type FileRow = {
  id: string;
  ownerId: string | null;
  name: string;
  type: string;
  size: number;
  width: number | null;
  height: number | null;
  createdAt: number;
  attachedAt: number | null;
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
  bookmarksCount: number;
  createdAt: number;
  updatedAt: number;
};

export type ReactionRow = { postId: string; userId: string; createdAt: number };

export type ProfileRow = {
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

export type ConversationRow = {
  id: string;
  firstUserId: string;
  secondUserId: string;
  lastNumber: number;
  updatedAt: number;
};

export type MessageRow = {
  id: string;
  conversationId: string;
  number: number;
  sendId: string;
  senderId: string;
  receiverId: string;
  message: string;
  isRead: boolean;
  fileId: string | null;
  createdAt: number;
};

/** On PostgreSQL a row also holds the number of the transaction that wrote it. */
export type EventRow = { number: Generated<number>; topic: string; type: string; data: string; createdAt: number };
