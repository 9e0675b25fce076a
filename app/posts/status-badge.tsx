import { Badge } from "#app/ui/badge.tsx";
import { EyeOff } from "#app/ui/icons.tsx";
import type { ModerationActionKind } from "#domain/moderation/moderation-action.ts";
import type { AdminPost } from "#domain/moderation/posts/moderation.ts";

export function StatusBadge({ post: { status, held } }: { post: Pick<AdminPost, "status"> & Partial<Pick<AdminPost, "held">> }) {
  if (status === "active")
    return (
      <Badge tone="success" dot="solid">
        Published
      </Badge>
    );
  return <PostState held={held} />;
}

export function PostState({ held, className }: { held?: ModerationActionKind | null | undefined; className?: string | undefined }) {
  if (held === "hold" || held === "delete")
    return (
      <Badge tone="warning" icon={EyeOff} className={className}>
        {held === "hold" ? "Held" : "Deleted"}
      </Badge>
    );
  return (
    <Badge dot="hollow" className={className}>
      Draft
    </Badge>
  );
}
