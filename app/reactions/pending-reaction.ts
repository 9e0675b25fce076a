import { readStored, store } from "#app/browser/stored.ts";
import { minutes } from "#platform/time.ts";
import type { Reaction } from "./reaction.ts";

const key = "wanted-reaction";
const maxAgeMs = minutes(15);

type PendingReaction = { postId: string; reaction: Reaction; at: number };

/** Remembers in this tab what a visitor pressed, to carry it out after signing in. A link can’t set it. */
export function rememberPendingReaction(postId: string, reaction: Reaction): void {
  store(key, JSON.stringify({ postId, reaction, at: Date.now() } satisfies PendingReaction), "sessionStorage");
}

/** True once for the remembered reaction. */
export function takePendingReaction(postId: string, reaction: Reaction): boolean {
  const pending = JSON.parse(readStored(key, "sessionStorage") ?? "null") as PendingReaction | null;
  if (pending?.postId !== postId || pending.reaction !== reaction) return false;
  store(key, null, "sessionStorage");
  return Math.abs(Date.now() - pending.at) < maxAgeMs;
}
