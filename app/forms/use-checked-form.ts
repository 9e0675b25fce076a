import { type FormEvent, useEffect, useState } from "react";
import type { Check } from "#domain/accounts/account.ts";
import type { RefusedForm } from "./refused-form.ts";

type Texts = Partial<Record<string, string | undefined>>;

/** `form`: an error that belongs to no field. */
export type CheckedForm = ReturnType<typeof useCheckedForm>;

/**
 * A form that the browser checks like the server: each field once it was filled and left, all at the submission, then at every change. The
 * first invalid field gets the focus, also after a refusal. `result`: what the action returned last.
 */
export function useCheckedForm<Name extends string>(
  id: string,
  checks: Record<Name, Check>,
  result: RefusedForm<Texts> | undefined,
  present: Texts = {},
) {
  // What was typed is in the fields, unless the page was loaded with it.
  const [first] = useState(result);
  const values: Texts = { ...present, ...first?.values };
  /** Checked fields have a key. */
  const [errors, setErrors] = useState<Texts>(result?.errors ?? {});
  useEffect(() => {
    if (!result || result === first) return;
    setErrors((checked) => ({ ...checked, ...result.errors }));
    focusFirstInvalid(document.forms.namedItem(id), result.errors);
  }, [result, first, id]);
  const check = (name: string, typed: unknown) => checks[name as Name]?.(String(typed ?? ""));
  const checkField = ({ target }: FormEvent, isDue: (field: HTMLInputElement) => boolean) => {
    const field = target as HTMLInputElement;
    if (isDue(field)) setErrors((checked) => ({ ...checked, form: undefined, [field.name]: check(field.name, field.value) }));
  };
  return {
    values,
    errors,
    field: (name: Name) => ({ id: `${id}-${name}`, name, defaultValue: values[name], error: errors[name] }),
    attributes: {
      id,
      noValidate: true,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        const typed = new FormData(event.currentTarget);
        const found = Object.fromEntries(Object.keys(checks).map((name) => [name, check(name, typed.get(name))]));
        setErrors(found);
        if (focusFirstInvalid(event.currentTarget, found)) event.preventDefault();
      },
      onInput: (event: FormEvent) => checkField(event, ({ name }) => name in errors),
      onBlur: (event: FormEvent) => checkField(event, ({ name, value }) => value !== "" && !(name in errors)),
    },
  };
}

function focusFirstInvalid(form: HTMLFormElement | null, errors: Texts): boolean {
  const invalid = [...(form?.elements ?? [])].find((field) => errors[(field as HTMLInputElement).name]);
  (invalid as HTMLInputElement | undefined)?.focus();
  return invalid !== undefined;
}
