import { type Action, may } from "./permissions.ts";
import type { Viewer } from "./site.ts";

export type PostAccess = { status: string; userId: string; heldBy: string | null };

export function mayReadPost(viewer: Viewer, post: PostAccess): boolean {
  return may(viewer, readingOf(post), post.userId);
}

function readingOf({ status, heldBy }: PostAccess): Action {
  if (status === "active") return "read a published story";
  return heldBy === null ? "read a draft" : "read a held story";
}
