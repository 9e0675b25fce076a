import { type FieldMetadata, type FormMetadata, parse, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import type { Icon } from "#app/ui/icon.ts";
import type { Check } from "#domain/accounts/account.ts";
import { FormAlert } from "./settings-section.tsx";

/** The browser runs the same checks as the server. `answer` is the action’s last result. */
export function useAccountForm<Name extends string>(
  id: string,
  checks: Record<Name, Check>,
  answer: SubmissionResult | undefined,
  present?: NoInfer<Record<Name, string>>,
) {
  return useForm<Record<Name, string>>({
    id,
    ...(present ? { defaultValue: present as never } : {}),
    lastResult: answer ?? null,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (values) => checkFields(checks, values) }),
  });
}

function checkFields<Name extends string>(checks: Record<Name, Check>, values: Record<string, unknown>) {
  const error: Record<string, string[]> = {};
  for (const [name, check] of Object.entries<Check>(checks)) {
    const message = check(String(values[name] ?? ""));
    if (message) error[name] = [message];
  }
  return Object.keys(error).length > 0 ? { error } : { value: values as Record<Name, string> };
}

type AccountFormProps = { form: FormMetadata; submit: string; busy: string; children: ReactNode };

export function ValidatedForm({ form, submit, busy, children }: AccountFormProps) {
  const sending = useNavigation().formMethod === "POST";
  // The second click of a double click arrives before the busy state renders.
  const submitted = useRef(false);
  useEffect(() => {
    if (!sending) submitted.current = false;
  }, [sending]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (submitted.current) return event.preventDefault();
    form.onSubmit(event);
    submitted.current = !event.defaultPrevented;
  };
  return (
    <>
      {form.errors?.[0] && <FormAlert className="mt-7 -mb-3">{form.errors[0]}</FormAlert>}
      <Form method="post" id={form.id} onSubmit={onSubmit} noValidate className="mt-8 flex flex-col gap-5">
        {children}
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel={busy} className="mt-1 w-full">
          {submit}
        </Button>
      </Form>
    </>
  );
}

type AccountFieldProps = {
  form: FormMetadata;
  field: FieldMetadata<string>;
  label: string;
  type: "text" | "email";
  icon: Icon;
  autoComplete: string;
};

export function ValidatedField({ form, field, label, icon, ...input }: AccountFieldProps) {
  return (
    <Field id={field.id} label={label} error={field.errors}>
      <TextInput
        key={field.key}
        name={field.name}
        defaultValue={field.initialValue}
        leading={icon}
        onBlur={checkWhenFilled(form, field)}
        {...input}
      />
    </Field>
  );
}

export function checkWhenFilled(form: FormMetadata, { name }: FieldMetadata<string>) {
  return (event: { currentTarget: HTMLInputElement }) => {
    if (event.currentTarget.value !== "") form.validate({ name });
  };
}
