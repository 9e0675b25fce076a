import type { Generated } from "kysely";

export type MemberCountersRow = {
  userId: string;
  posts: number;
  published: number;
  likesReceived: number;
  messagesSent: number;
  chats: Generated<number>;
};

/** One per published story, with an index per list order; `day`: days since 1970 in UTC. */
export type RankingRow = {
  number: number;
  publishedAt: number;
  day: number;
  views: number;
  likes: number;
  score: number;
  performance: Generated<number>;
};
