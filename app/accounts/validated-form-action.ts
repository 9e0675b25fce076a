import type { SubmissionResult } from "@conform-to/react";
import { data } from "react-router";
import type { z } from "zod";
import { answerForm } from "#app/shell/refusals.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { parseForm, readForm } from "#domain/forms/read-form.server.ts";

type AccountSchema<Input> = z.ZodObject & z.ZodType<Input>;

const hideFields = ["password", "current"];

/** Runs an action with the checked form. Errors come back at their field or above the form, with everything typed but passwords. */
export async function answerAccountForm<Input>(request: Request, schema: AccountSchema<Input>, run: (input: Input) => Promise<Response>) {
  return answerReadForm(await readForm(request, formLimits.account), schema, run);
}

export async function answerReadForm<Input>(form: FormData, schema: AccountSchema<Input>, run: (input: Input) => Promise<Response>) {
  const submission = await parseForm(form, schema);
  if (submission.status !== "success") return data<SubmissionResult>(submission.reply({ hideFields }), { status: 422 });
  try {
    return await run(submission.value);
  } catch (error) {
    return answerForm<SubmissionResult>(error, ({ field, message }) => {
      const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
      return submission.reply({ ...errors, hideFields });
    });
  }
}
