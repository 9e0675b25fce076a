import { AlertDialog as Radix } from "radix-ui";
import { Button } from "./button.tsx";
import { DialogActions, scrim, sheet, useFocusBack } from "./dialog.tsx";

type AskDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm(): void;
};

/** Asks before something that can't be taken back is done by a script; forms ask with a ConfirmDialog. */
export function AskDialog({ open, onOpenChange, title, text, confirmLabel, cancelLabel = "Cancel", onConfirm }: AskDialogProps) {
  const focusBack = useFocusBack();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content {...focusBack} className={sheet}>
          <Radix.Title className="display text-t2">{title}</Radix.Title>
          <Radix.Description className="mt-2 text-base text-ink-2">{text}</Radix.Description>
          <DialogActions>
            <Radix.Cancel asChild>
              <Button>{cancelLabel}</Button>
            </Radix.Cancel>
            <Radix.Action asChild>
              <Button variant="danger-fill" onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </Radix.Action>
          </DialogActions>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
