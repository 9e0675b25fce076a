import { getPriority, setPriority } from "node:os";

/**
 * Lets others go first; a higher number is a lower priority, as for `nice`. Whoever was started at a lower one, as a service with `Nice=`
 * is, stays there: only root may raise it. On Linux it is the thread's, elsewhere the whole process's.
 */
export function lowerPriority(to: number): void {
  if (getPriority() < to) setPriority(to);
}
