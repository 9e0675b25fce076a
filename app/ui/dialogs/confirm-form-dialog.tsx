import { useId, useRef, useState } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { setFailureText, useRequestFailures } from "#app/shell/preserve-screen.ts";
import { Button, type ButtonProps } from "../button.tsx";
import { HiddenFields } from "../hidden-fields.tsx";
import { usePanels } from "../panels/panels.ts";

type ConfirmFormDialogProps = {
  button: ButtonProps;
  title: string;
  text: string;
  confirmLabel: string;
  danger?: boolean | undefined;
  action?: string | undefined;
  fields?: Record<string, string> | undefined;
  onConfirm?: (() => void) | undefined;
  /** Shown here and as a toast if no response arrives. */
  failed?: string | undefined;
};

/** A form whose button asks before it posts. Without JavaScript it posts without `confirmed`, and the action asks on a page (ConfirmPage). */
export function ConfirmFormDialog({
  button,
  title,
  text,
  confirmLabel,
  danger,
  action,
  fields = {},
  onConfirm,
  failed,
}: ConfirmFormDialogProps) {
  const [open, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const { formAction, formData } = useNavigation();
  const { pathname } = useLocation();
  const path = action ?? pathname;
  const isOwn = Object.entries(fields).every(([name, value]) => formData?.get(name) === value);
  const busy = isOwn && formAction === path;
  const lost = useRequestFailures().get(path);
  const [submitted, setSubmitted] = useState(false);
  const panels = usePanels(open || (submitted && lost !== undefined));
  const change = (isOpen: boolean) => {
    setOpen(isOpen);
    setSubmitted(false);
  };
  const submit = () => {
    setFailureText(path, failed);
    setSubmitted(true);
    // Before closing, which removes the button from the page.
    form.current?.requestSubmit(confirm.current);
    setOpen(false);
    onConfirm?.();
  };
  return (
    <Form ref={form} id={formId} method="post" action={path} preventScrollReset className="contents">
      <HiddenFields fields={fields} />
      <Button
        {...button}
        type="submit"
        busy={busy}
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      />
      {panels && (
        <panels.Question title={title} text={text} error={submitted ? lost : undefined} onOpenChange={change}>
          <Button
            ref={confirm}
            type="submit"
            form={formId}
            name="confirmed"
            value="yes"
            variant={danger ? "danger-fill" : "primary"}
            onClick={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            {confirmLabel}
          </Button>
        </panels.Question>
      )}
    </Form>
  );
}
