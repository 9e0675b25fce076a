import { Badge } from "#app/ui/badge.tsx";
import type { AdminPost } from "#domain/moderation/posts/moderation.ts";
import { PostState } from "./post-state.tsx";

export function StatusBadge({ post: { status, held } }: { post: Pick<AdminPost, "status"> & Partial<Pick<AdminPost, "held">> }) {
  if (status === "active")
    return (
      <Badge tone="success" dot="solid">
        Published
      </Badge>
    );
  return <PostState held={held} />;
}
