import { Badge } from "#app/ui/badge.tsx";
import { EyeOff } from "#app/ui/icons.tsx";
import type { ModerationActionKind } from "#domain/moderation/moderation-action.ts";

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
