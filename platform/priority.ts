import { getPriority, setPriority } from "node:os";

/** Like `nice`: higher numbers run later. Never raises the priority, which only root may. Per thread on Linux, otherwise per process. */
export function lowerPriority(to: number): void {
  if (getPriority() < to) setPriority(to);
}
