import { useState } from "react";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { bulkQuestion, type HiddenPost } from "#app/admin/posts/post-moderation.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { CircleCheck, CircleX, Star, Trash2 } from "#app/ui/icons.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import { reasoned } from "#domain/moderation/posts/moderation.ts";

const actions = [
  { value: "publish", label: "Publish", icon: CircleCheck },
  { value: "unpublish", label: "Unpublish", icon: CircleX },
  { value: "feature", label: "Feature", icon: Star },
  { value: "delete", label: "Delete", icon: Trash2 },
];

type BulkBarProps = {
  chosen: HiddenPost[];
  busy: boolean;
  /** `release`: those that a moderator hid, whose release was asked about. */
  onRun: (action: string, how: { reason: string; release: string[] }) => Promise<void>;
  onClear: () => void;
};

/**
 * What can be done to all that are ticked. Without JavaScript its buttons post the ticked boxes, and the page asks before anything happens.
 */
export function BulkBar({ chosen, busy, onRun, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const hidden = chosen.filter(({ held }) => held !== null);
  const question = asked === null ? null : bulkQuestion(asked, chosen.length, hidden);
  const [reason, setReason] = useState("");
  const needsReason = asked !== null && reasoned.includes(asked);
  const run = async () => {
    setAsked(null);
    if (asked !== null) await onRun(asked, { reason: needsReason ? reason : "", release: hidden.map(({ id }) => id) });
  };
  return (
    <div className="hidden flex-wrap items-center gap-2 bg-inverse px-4 py-2.5 text-on-inverse group-has-[input[name=ids]:checked]/posts:flex lg:px-5 dark:bg-hover dark:text-ink">
      <span className="num mr-2 text-base font-medium" aria-live="polite">
        {chosen.length > 0 ? `${chosen.length} selected` : "Selected"}
      </span>
      {actions.map(({ value, label, icon: Drawing }) => (
        <button
          key={value}
          type="submit"
          form="bulk"
          name="bulk"
          value={value}
          aria-disabled={busy || undefined}
          onClick={(event) => {
            event.preventDefault();
            if (!busy) setAsked(value);
          }}
          className={classNames(
            "inline-flex h-9 items-center gap-2 rounded-md px-3 text-sm font-medium max-lg:h-11",
            value === "delete"
              ? "bg-danger-fill text-on-danger hover:bg-danger-fill-hover"
              : "border border-current/25 hover:bg-current/10",
          )}
        >
          <Drawing aria-hidden className="size-4 shrink-0" />
          {label}
        </button>
      ))}
      <span className="flex-1" />
      <button type="button" onClick={onClear} className="h-9 px-3 text-sm font-medium underline underline-offset-4 max-lg:h-11">
        Clear
      </button>
      <Dialog
        title={question?.title ?? ""}
        text={question?.text}
        open={question !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null);
        }}
      >
        {needsReason && (
          <div className="mt-5">
            <ReasonField value={reason} onChange={setReason} />
          </div>
        )}
        <DialogActions>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant={asked === "delete" ? "danger-fill" : "primary"}
            disabled={needsReason && reason.trim() === ""}
            onClick={() => void run()}
          >
            {question?.confirm}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}
