import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { CheckedForm } from "#app/forms/use-checked-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { FormAlert } from "./settings-section.tsx";

type ValidatedFormProps = { form: Pick<CheckedForm, "attributes" | "errors">; submit: string; busy: string; children: ReactNode };

export function ValidatedForm({ form: { attributes, errors }, submit, busy, children }: ValidatedFormProps) {
  const sending = useNavigation().formMethod === "POST";
  // The second click of a double click arrives before the busy state renders.
  const submitted = useRef(false);
  useEffect(() => {
    if (!sending) submitted.current = false;
  }, [sending]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (submitted.current) return event.preventDefault();
    attributes.onSubmit(event);
    submitted.current = !event.defaultPrevented;
  };
  return (
    <>
      {errors.form && <FormAlert className="mt-7 -mb-3">{errors.form}</FormAlert>}
      <Form method="post" {...attributes} onSubmit={onSubmit} className="mt-8 flex flex-col gap-5">
        {children}
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel={busy} className="mt-1 w-full">
          {submit}
        </Button>
      </Form>
    </>
  );
}

type ValidatedFieldProps = ReturnType<CheckedForm["field"]> & {
  label: string;
  type: "text" | "email";
  icon: Icon;
  autoComplete: string;
};

export function ValidatedField({ id, label, error, icon, ...input }: ValidatedFieldProps) {
  return (
    <Field id={id} label={label} error={error}>
      <TextInput leading={icon} {...input} />
    </Field>
  );
}
