import { useEffect } from "react";
import { minutes } from "#platform/time.ts";

/** Milliseconds a story has to be open before it counts as seen, and for which it counts once (specification §9). */
const viewDelayMs = 1500;
const viewWindowMs = minutes(30);

/** Tells the server that a story is being read; the server counts by its own rule, the browser only asks less often. */
export function useViewTracking(postId: string, viewerId: string): void {
  useEffect(() => {
    const key = `inkstead:viewed:${postId}:${viewerId}`;
    if (Date.now() - stampOf(key) < viewWindowMs) return;
    const timer = setTimeout(() => {
      // Remembered only once the server has heard: what is lost on the way counts the next time.
      void fetch(`/post/${encodeURIComponent(postId)}/view`, { method: "POST", keepalive: true })
        .then(({ ok }) => ok && stamp(key))
        .catch(() => {});
    }, viewDelayMs);
    return () => clearTimeout(timer);
  }, [postId, viewerId]);
}

function stampOf(key: string): number {
  try {
    return Number(localStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

function stamp(key: string): void {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch {}
}
