import { AlertDialog as Radix } from "radix-ui";
import { useEffect, useId, useRef, useState } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { awaitAnswer, useLostSends } from "#app/shell/keep-screen.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { DialogActions, scrim, sheet } from "./dialog.tsx";
import { FieldError } from "./field.tsx";

type ConfirmDialogProps = {
  button: ButtonProps;
  title: string;
  text: string;
  confirmLabel: string;
  danger?: boolean | undefined;
  action?: string | undefined;
  fields?: Record<string, string> | undefined;
  onConfirm?: (() => void) | undefined;
  /** What is said, here and as a toast, when the answer never comes. */
  failed?: string | undefined;
};

/**
 * A form whose button asks before it posts. Without JavaScript the button posts at once and without `confirmed`, so
 * that the action can ask on a page of its own.
 */
export function ConfirmDialog({ button, title, text, confirmLabel, danger, action, fields = {}, onConfirm, failed }: ConfirmDialogProps) {
  const [open, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asks = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formAction === action && button.busy !== false;
  const { pathname } = useLocation();
  const address = (action ?? pathname).replace(/\?.*/, "");
  const lost = useLostSends().get(address);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (asked && lost) setOpen(true);
  }, [asked, lost]);
  const answer = () => {
    awaitAnswer(address, failed);
    setAsked(true);
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
      <Radix.Root
        open={open}
        onOpenChange={(isOpen) => {
          setOpen(isOpen);
          setAsked(false);
        }}
      >
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
            {asked && lost && <FieldError>{lost}</FieldError>}
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
