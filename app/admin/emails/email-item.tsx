import { Form } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { pluralize } from "#domain/format.ts";
import { type EmailKind, emailKinds } from "#domain/mail/email-kinds.ts";
import type { QueuedEmail } from "#domain/mail/outbox/queued-email.ts";

const states = {
  waiting: { tone: "neutral", label: "Waiting" },
  sending: { tone: "neutral", label: "Sending" },
  sent: { tone: "success", label: "Sent" },
  failed: { tone: "danger", label: "Failed" },
  unknown: { tone: "warning", label: "May have arrived" },
} as const;

export function EmailItem({ email, now, busy }: { email: QueuedEmail; now: number; busy: boolean }) {
  const { number, kind, address, state, tries, problem, canBeSent } = email;
  const { tone, label } = states[state];
  const name = emailKinds[kind as EmailKind]?.label ?? kind;
  const about = `${name} to ${address}`;
  const retryLabel = state === "waiting" ? "Try now" : "Send again";
  const isOpen = state === "waiting" || state === "failed" || state === "unknown";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 lg:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{name}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">
          {address} · <TimeAgo time={email.finishedAt ?? email.createdAt} now={now} />
          {tries > 0 && ` · ${pluralize(tries, "try", "tries")}`}
        </p>
        {problem && <p className="mt-2 text-base [overflow-wrap:anywhere]">{problem}</p>}
      </div>
      {isOpen && (
        <Form method="post" className="flex gap-2">
          <input type="hidden" name="number" value={number} />
          {canBeSent && (
            <Button type="submit" name="do" value="again" busy={busy} aria-label={`${retryLabel}: ${about}`}>
              {retryLabel}
            </Button>
          )}
          <Button type="submit" name="do" value="discard" variant="ghost" busy={busy} aria-label={`Discard: ${about}`}>
            Discard
          </Button>
        </Form>
      )}
    </li>
  );
}
