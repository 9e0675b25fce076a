import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useFetcher } from "react-router";
import type { ModerationResult } from "#app/admin/posts/post-moderation.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import { showResult } from "./use-moderation.tsx";

type ModerationDialogProps = {
  title: string;
  text: string;
  /** The button’s label. */
  label: string;
  danger?: boolean | undefined;
  disabled?: boolean;
  action: string;
  fields: Record<string, string | string[]>;
  onClose: () => void;
  onDone?: () => void;
  /** Runs in the browser before the form is sent; returns an error. */
  check?: (form: FormData) => string | undefined;
  /** The dialog’s field. */
  children?: ((error: string | undefined) => ReactNode) | undefined;
};

/** Asks before a moderation action. A failure shows in the dialog, to try again, and as a toast. */
export function ModerationDialog(props: ModerationDialogProps) {
  const { title, text, label, danger = false, disabled, action, fields, onClose, onDone, check, children } = props;
  const fetcher = useFetcher<ModerationResult>();
  const result = fetcher.data;
  const finish = useEffectEvent((received: ModerationResult) => {
    showResult(received);
    if (received.tone === "error") return;
    onDone?.();
    onClose();
  });
  useEffect(() => {
    if (result) finish(result);
  }, [result]);
  const [problem, setProblem] = useState<string>();
  const error = problem ?? (result?.tone === "error" ? result.text : undefined);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const found = check?.(new FormData(event.currentTarget));
    setProblem(found);
    if (found) event.preventDefault();
  };
  const hidden = Object.entries({ ...fields, scripted: "yes", confirmed: "yes" }).flatMap(([name, values]) =>
    [values].flat().map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
  return (
    <Dialog open title={title} text={text} onOpenChange={(open) => !open && onClose()}>
      <fetcher.Form method="post" action={action} onSubmit={onSubmit} className={children && "mt-5"}>
        {hidden}
        {children ? children(error) : error && <FieldError>{error}</FieldError>}
        <DialogActions>
          <DialogClose>
            <Button autoFocus={!children}>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant={danger ? "danger-fill" : "primary"} disabled={disabled} busy={fetcher.state !== "idle"}>
            {label}
          </Button>
        </DialogActions>
      </fetcher.Form>
    </Dialog>
  );
}
