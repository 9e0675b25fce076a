const typingPauseMs = 600;
const longestWaitMs = 1_500;
const retriesMs = [1_000, 2_000, 2_000, 5_000, 10_000];

/**
 * When to save next, in milliseconds since 1970: after a pause in typing, at the latest `longestWaitMs` after the first
 * unsaved change, and ever later while saving fails.
 */
export function nextSaveAt({ now, unsavedSince, failures }: { now: number; unsavedSince: number; failures: number }): number {
  if (failures > 0) return now + (retriesMs[Math.min(failures, retriesMs.length) - 1] ?? 0);
  return Math.min(now + typingPauseMs, unsavedSince + longestWaitMs);
}
