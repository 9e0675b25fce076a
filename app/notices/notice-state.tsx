import { Badge } from "#app/ui/badge.tsx";
import { longDate } from "#domain/dates.ts";
import { actionTexts } from "#domain/moderation/moderation-action.ts";
import type { Notice } from "#domain/moderation/notices.server.ts";

export function NoticeState({ notice: { kind, endsAt, undoneAt }, now }: { notice: Notice; now: number }) {
  if (undoneAt !== null) return <Badge tone="success">Undone</Badge>;
  if (endsAt === null) return null;
  if (endsAt <= now) return <Badge>{kind === "suspend" ? "Ended" : "Permanently deleted"}</Badge>;
  const text = kind === "suspend" ? `Until ${longDate(endsAt)}` : `Permanently deleted on ${longDate(endsAt)}`;
  return <Badge tone="warning">{text}</Badge>;
}

export function ReasonText({ reason }: { reason: string }) {
  return (
    <blockquote
      dir="auto"
      className="border-l-2 border-line-strong pl-4 font-reading text-lg leading-[1.6]! whitespace-pre-line [overflow-wrap:anywhere]"
    >
      {reason || actionTexts.noReason}
    </blockquote>
  );
}
