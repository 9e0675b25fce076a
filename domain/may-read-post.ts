import { may } from "./permissions.ts";
import type { Viewer } from "./site.ts";

export function mayReadPost(viewer: Viewer, { status, userId }: { status: string; userId: string }): boolean {
  return may(viewer, status === "active" ? "read a published story" : "read a draft", userId);
}
