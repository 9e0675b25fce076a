import { data } from "react-router";
import type { z } from "zod";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { Invalid, type Refusal } from "#domain/refusals.ts";

/** A refused form, shown again with its values. `form`: an error that belongs to no field. */
export type RefusedForm<Values> = { values: Values; errors: FormErrors<Values> };
export type FormErrors<Values> = { [Name in keyof Values | "form"]?: string | undefined };

export function readTexts<Name extends string>(form: FormData, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? "")])) as Record<Name, string>;
}

/** @throws Invalid at the field. */
export function parseField<Output>(schema: z.ZodType<Output>, value: string, field: string): Output {
  const { data: output, error } = schema.safeParse(value);
  if (error) throw new Invalid(error.issues[0]?.message ?? "", field);
  return output as Output;
}

/** Answers an action’s refusal with the form's values. @throws refusals with a code in `elsewhere`, and errors that are no refusals. */
export function refuseForm<Values extends object>(error: unknown, values: Values, elsewhere: Refusal["code"][] = []) {
  const toResult = ({ field, message }: Refusal) => refusedForm(values, { [field && field in values ? field : "form"]: message });
  return respondToForm(error, toResult, elsewhere);
}

/** Answers input that a schema refused. */
export function invalidForm<Values>(values: Values, { issues }: z.ZodError) {
  return data(refusedForm(values, problemsOf(issues)), { status: 422 });
}

/** A `clientAction` that shows the form again after a request failure. */
export function keepFormOnRequestFailure<Values>(readValues: (form: FormData) => Values, text = connectionLost) {
  const clientAction = async ({ request, serverAction }: { request: Request; serverAction: () => Promise<unknown> }) => {
    const values = readValues(await request.clone().formData());
    return catchRequestFailure(serverAction as () => Promise<RefusedForm<Values>>, refusedForm(values, { form: text }));
  };
  return clientAction;
}

function refusedForm<Values>(values: Values, errors: Record<string, string>): RefusedForm<Values> {
  return { values, errors: errors as FormErrors<Values> };
}
