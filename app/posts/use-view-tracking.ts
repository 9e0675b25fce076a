import { useEffect } from "react";
import { readStored, store } from "#app/browser/stored.ts";
import { minutes } from "#platform/time.ts";

/** How long a story must be open to count as viewed, and how long it counts once (specification §9). */
const viewDelayMs = 1500;
const viewWindowMs = minutes(30);

/** Reports a view. The server has a limit of its own; this one only saves requests. */
export function useViewTracking(postId: string, viewerId: string): void {
  useEffect(() => {
    const key = `inkstead:viewed:${postId}:${viewerId}`;
    if (Date.now() - Number(readStored(key)) < viewWindowMs) return;
    const timer = setTimeout(() => {
      // Stored after the answer, so that a lost request is repeated.
      void fetch(`/post/${encodeURIComponent(postId)}/view`, { method: "POST", keepalive: true })
        .then(({ ok }) => ok && store(key, String(Date.now())))
        .catch(() => {});
    }, viewDelayMs);
    return () => clearTimeout(timer);
  }, [postId, viewerId]);
}
