import { Button } from "../button.tsx";
import { usePanels } from "../panels/panels.ts";

type ConfirmDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm(): void;
};

/** Asks before a script does something. Forms use ConfirmFormDialog. */
export function ConfirmDialog({ open, onOpenChange, title, text, confirmLabel, cancelLabel, onConfirm }: ConfirmDialogProps) {
  const panels = usePanels(open);
  if (!panels) return null;
  const confirm = () => {
    onConfirm();
    onOpenChange(false);
  };
  return (
    <panels.Question {...{ title, text, onOpenChange }} {...(cancelLabel ? { cancelLabel } : {})}>
      <Button variant="danger-fill" onClick={confirm}>
        {confirmLabel}
      </Button>
    </panels.Question>
  );
}
