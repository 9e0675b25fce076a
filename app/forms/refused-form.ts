import { data } from "react-router";
import type { z } from "zod";
import { connectionLost } from "#app/shell/closed.ts";
import { orNetworkFailure } from "#app/shell/or-network-failure.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { Invalid, type Refusal } from "#domain/refusals.ts";

/** A refused form, shown again with what was typed. `form`: an error that belongs to no field. */
export type RefusedForm<Typed> = { typed: Typed; errors: FormErrors<Typed> };
export type FormErrors<Typed> = { [Name in keyof Typed | "form"]?: string | undefined };

export function readTexts<Name extends string>(form: FormData, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? "")])) as Record<Name, string>;
}

/** @throws Invalid at the field. */
export function parseField<Output>(schema: z.ZodType<Output>, value: string, field: string): Output {
  const { data: output, error } = schema.safeParse(value);
  if (error) throw new Invalid(error.issues[0]?.message ?? "", field);
  return output as Output;
}

/** Answers an action’s refusal with what was typed. @throws refusals with a code in `elsewhere`, and everything that is no refusal. */
export function refuseForm<Typed extends object>(error: unknown, typed: Typed, elsewhere: Refusal["code"][] = []) {
  const keep = ({ field, message }: Refusal) => refusedForm(typed, { [field && field in typed ? field : "form"]: message });
  return answerForm(error, keep, elsewhere);
}

/** Answers input that a schema refused. */
export function invalidForm<Typed>(typed: Typed, { issues }: z.ZodError) {
  return data(refusedForm(typed, problemsOf(issues)), { status: 422 });
}

/** A `clientAction` that shows the form again after a network failure. */
export function preserveOnNetworkFailure<Typed>(readValues: (form: FormData) => Typed, text = connectionLost) {
  const clientAction = async ({ request, serverAction }: { request: Request; serverAction: () => Promise<unknown> }) => {
    const typed = readValues(await request.clone().formData());
    return orNetworkFailure(serverAction as () => Promise<RefusedForm<Typed>>, refusedForm(typed, { form: text }));
  };
  return clientAction;
}

function refusedForm<Typed>(typed: Typed, errors: Record<string, string>): RefusedForm<Typed> {
  return { typed, errors: errors as FormErrors<Typed> };
}
