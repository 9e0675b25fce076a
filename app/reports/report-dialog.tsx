import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { PrefetchPageLinks, useFetcher } from "react-router";
import type { RefusedForm } from "#app/forms/refused-form.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { Flag } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import { type ReportKind, reportNouns, reportTexts } from "#domain/reports/report.ts";
import { ReportFields, type ReportFormValues } from "./report-fields.tsx";

type Subject = { kind: ReportKind; id: string };

/** The page for browsers without JavaScript. */
function reportPath({ kind, id }: Subject): string {
  return `/report?${new URLSearchParams({ kind, id })}`;
}

type ReportLinkProps = Subject & { className?: string | undefined; children?: ReactNode };

export function ReportLink({ kind, id, className, children }: ReportLinkProps) {
  const { viewer } = useRoot();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Link
        to={reportPath({ kind, id })}
        rel="nofollow"
        className={
          className ?? "inline-flex min-h-8 items-center gap-1.5 text-sm text-ink-2 hover:text-ink hover:underline max-lg:min-h-11"
        }
        onClick={(event) => {
          if (!viewer || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children ?? (
          <>
            <Flag aria-hidden className="size-4 shrink-0" />
            Report
          </>
        )}
      </Link>
      <ReportDialog kind={kind} id={id} open={open} onOpenChange={setOpen} />
    </>
  );
}

type ReportDialogProps = Subject & { open: boolean; onOpenChange: (open: boolean) => void };

export function ReportDialog({ kind, id, open, onOpenChange }: ReportDialogProps) {
  return (
    <Dialog
      title={`Report this ${reportNouns[kind]}`}
      text={kind === "message" ? `We’ll review it. ${reportTexts.evidence}` : "We’ll review it."}
      open={open}
      onOpenChange={onOpenChange}
    >
      <ReportForm kind={kind} id={id} onSent={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** What was typed in dialogs that were closed without sending it, by subject. */
const unsent = new Map<string, ReportFormValues>();

function ReportForm({ kind, id, onSent }: Subject & { onSent: () => void }) {
  const fetcher = useFetcher<{ sent: string } | RefusedForm<ReportFormValues>>();
  const result = fetcher.data;
  const { viewer } = useRoot();
  const subject = `${viewer?.id} ${kind} ${id}`;
  const keep = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    unsent.set(subject, { reason: String(form.get("reason") ?? ""), note: String(form.get("note") ?? "") });
  };
  const finish = useEffectEvent((text: string) => {
    unsent.delete(subject);
    showToast({ tone: "success", text });
    onSent();
  });
  useEffect(() => {
    if (result && "sent" in result) finish(result.sent);
  }, [result]);
  return (
    <fetcher.Form method="post" action="/report" onChange={keep} className="mt-5 flex flex-col gap-4">
      {/* If this module fails to load on submit, the router reloads the page and the note is lost. */}
      <PrefetchPageLinks page={reportPath({ kind, id })} />
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="subjectId" value={id} />
      <input type="hidden" name="scripted" value="yes" />
      <ReportFields refused={result && "values" in result ? result : undefined} kept={unsent.get(subject)} />
      <DialogActions>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={fetcher.state !== "idle"} busyLabel="Sending...">
          Send report
        </Button>
      </DialogActions>
    </fetcher.Form>
  );
}
