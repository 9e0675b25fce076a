import { may } from "./permissions.ts";
import type { Viewer } from "./site.ts";

/** Whether somebody may read a post: a draft only its author and the staff. */
export function mayReadPost(viewer: Viewer, { status, userId }: { status: string; userId: string }): boolean {
  return may(viewer, status === "active" ? "read a published story" : "read a draft", userId);
}
