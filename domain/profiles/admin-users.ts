import type { StaffRole } from "../site.ts";

export type AdminUser = {
  id: string;
  name: string;
  email: string;
  location: string;
  profileImage: string | null;
  confirmed: boolean;
  role: StaffRole | null;
  suspendedUntil: number | null;
  joinedAt: number;
  /** Published ones, and the likes of those, as in the totals. */
  posts: number;
  likes: number;
  messages: number;
};

export const userStates = ["suspended", "unconfirmed", "staff"] as const;
export type UserState = (typeof userStates)[number];

export const userSorts = ["newest", "oldest", "name"] as const;
export type UserSort = (typeof userSorts)[number];

export function isUserSort(sort: unknown): sort is UserSort {
  return userSorts.includes(sort as UserSort);
}

export type UserTotals = { users: number; writers: number; newThisWeek: number; likes: number };
