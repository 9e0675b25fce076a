import { AlertDialog as Radix } from "radix-ui";
import { useId, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button, type ButtonProps } from "./button.tsx";
import { DialogActions, scrim, sheet } from "./dialog.tsx";

type ConfirmDialogProps = {
  button: ButtonProps;
  title: string;
  text: string;
  confirmLabel: string;
  danger?: boolean | undefined;
  action?: string | undefined;
  fields?: Record<string, string> | undefined;
  onConfirm?: (() => void) | undefined;
};

/**
 * A form whose button asks before it posts. Without JavaScript the button posts at once and without `confirmed`, so
 * that the action can ask on a page of its own.
 */
export function ConfirmDialog({ button, title, text, confirmLabel, danger, action, fields = {}, onConfirm }: ConfirmDialogProps) {
  const [open, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asks = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formAction === action && button.busy !== false;
  const answer = () => {
    // Closing would take the button out of the page before the browser submits its form.
    form.current?.requestSubmit(confirm.current);
    setOpen(false);
    onConfirm?.();
  };
  return (
    <Form ref={form} id={formId} method="post" {...(action ? { action } : {})} preventScrollReset className="contents">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button
        {...button}
        ref={asks}
        type="submit"
        busy={busy}
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      />
      <Radix.Root open={open} onOpenChange={setOpen}>
        <Radix.Portal>
          <Radix.Overlay className={scrim} />
          <Radix.Content
            className={sheet}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              asks.current?.focus();
            }}
          >
            <Radix.Title className="display text-t2">{title}</Radix.Title>
            <Radix.Description className="mt-2 text-base text-ink-2">{text}</Radix.Description>
            <DialogActions>
              <Radix.Cancel asChild>
                <Button>Cancel</Button>
              </Radix.Cancel>
              <Button
                ref={confirm}
                type="submit"
                form={formId}
                name="confirmed"
                value="yes"
                variant={danger ? "danger-fill" : "primary"}
                onClick={(event) => {
                  event.preventDefault();
                  answer();
                }}
              >
                {confirmLabel}
              </Button>
            </DialogActions>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Form>
  );
}
