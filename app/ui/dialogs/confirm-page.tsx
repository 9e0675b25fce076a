import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "../button.tsx";
import { HiddenFields } from "../hidden-fields.tsx";

type Props = {
  title: string;
  /** Unless the text names it. */
  subject?: ReactNode;
  text: string;
  cancel: string;
  confirmLabel: string;
  danger?: boolean;
  fields?: Record<string, string>;
};

/** The question of a ConfirmFormDialog, without JavaScript. */
export function ConfirmPage({ title, subject, text, cancel, confirmLabel, danger, fields = {} }: Props) {
  return (
    <div className="mx-auto w-full max-w-[440px] px-4 py-20">
      <h1 className="display text-t3">{title}</h1>
      {subject && (
        <p dir="auto" className="mt-3 font-medium">
          {subject}
        </p>
      )}
      <p className="mt-1 text-ink-2">{text}</p>
      <Form method="post" className="mt-6 flex gap-2">
        <HiddenFields fields={fields} />
        <ButtonLink to={cancel}>Cancel</ButtonLink>
        <Button type="submit" name="confirmed" value="yes" variant={danger ? "danger-fill" : "primary"}>
          {confirmLabel}
        </Button>
      </Form>
    </div>
  );
}
