import { useEffect, useEffectEvent } from "react";
import { useFetcher } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { HiddenFields } from "#app/ui/hidden-fields.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import { showAnswer } from "./answer-toasts.tsx";
import { ReasonField } from "./reason-field.tsx";

type ReasonDialogProps = {
  title: string;
  text: string;
  /** What the button says. */
  label: string;
  danger?: boolean;
  action: string;
  fields: Record<string, string>;
  onClose: () => void;
};

/** Asks why before something is done to a member's thing. A failure is said here, where it can be tried again, and in a toast. */
export function ReasonDialog({ title, text, label, danger = false, action, fields, onClose }: ReasonDialogProps) {
  const fetcher = useFetcher<ModerationAnswer>();
  const answer = fetcher.data;
  const finish = useEffectEvent((done: ModerationAnswer) => {
    showAnswer(done);
    if (done.tone === "success") onClose();
  });
  useEffect(() => {
    if (answer) finish(answer);
  }, [answer]);
  return (
    <Dialog open title={title} text={text} onOpenChange={(open) => !open && onClose()}>
      <fetcher.Form method="post" action={action} className="mt-5">
        <HiddenFields fields={{ ...fields, scripted: "yes" }} />
        <ReasonField error={answer?.tone === "error" ? answer.text : undefined} required autoFocus />
        <DialogActions>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant={danger ? "danger-fill" : "primary"} busy={fetcher.state !== "idle"}>
            {label}
          </Button>
        </DialogActions>
      </fetcher.Form>
    </Dialog>
  );
}
