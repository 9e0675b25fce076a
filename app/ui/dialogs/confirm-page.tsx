import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "../button.tsx";
import { HiddenFields } from "../hidden-fields.tsx";

type Props = {
  title: string;
  /** Unless the question names it. */
  subject?: ReactNode;
  question: string;
  cancel: string;
  confirmLabel: string;
  danger?: boolean;
  fields?: Record<string, string>;
};

/** The question of a ConfirmDialog, without JavaScript. */
export function ConfirmPage({ title, subject, question, cancel, confirmLabel, danger, fields = {} }: Props) {
  return (
    <div className="mx-auto w-full max-w-[440px] px-4 py-20">
      <h1 className="display text-t3">{title}</h1>
      {subject && (
        <p dir="auto" className="mt-3 font-medium">
          {subject}
        </p>
      )}
      <p className="mt-1 text-ink-2">{question}</p>
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
