import { EyeOff } from "lucide-react";
import { Badge } from "#app/ui/badge.tsx";
import type { ActKind } from "#domain/moderation/act.ts";

/** The state of a story that readers don't see: a draft, or what an administrator has made of it. */
export function StoryState({ held, className }: { held?: ActKind | null | undefined; className?: string | undefined }) {
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
