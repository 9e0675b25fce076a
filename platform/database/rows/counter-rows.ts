import type { Generated } from "kysely";

export type MemberCountersRow = {
  userId: string;
  posts: number;
  published: number;
  likesReceived: number;
  messagesSent: number;
  chats: Generated<number>;
};

/** A published story's figures, in the orders that lists are read in; `day` is counted from 1970 in UTC. */
export type RankingRow = {
  number: number;
  publishedAt: number;
  day: number;
  views: number;
  likes: number;
  score: number;
  performance: Generated<number>;
};
