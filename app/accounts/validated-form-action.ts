import type { z } from "zod";
import { invalidForm, readTexts, refuseForm } from "#app/forms/refused-form.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";

type AccountSchema<Input> = z.ZodObject & z.ZodType<Input>;

/** Runs an action with the checked form. Errors come back at their field or above the form, with everything typed but passwords. */
export async function respondToAccountForm<Input>(
  request: Request,
  schema: AccountSchema<Input>,
  run: (input: Input) => Promise<Response>,
) {
  return respondToReadForm(await readForm(request, formLimits.account), schema, run);
}

export async function respondToReadForm<Input>(form: FormData, schema: AccountSchema<Input>, run: (input: Input) => Promise<Response>) {
  const typed = readTexts(form, Object.keys(schema.shape));
  const { success, data, error } = schema.safeParse(typed);
  if (!success) return invalidForm(withoutPasswords(typed), error);
  try {
    return await run(data);
  } catch (refusal) {
    return refuseForm(refusal, withoutPasswords(typed));
  }
}

/** What the form shows again. */
export function withoutPasswords(typed: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, ["password", "current"].includes(name) ? "" : text]));
}
