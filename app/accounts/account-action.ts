import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import type { z } from "zod";
import { refusalOf } from "#app/shell/refusals.ts";
import { readUploadForm } from "#domain/files/upload-form.server.ts";
import { statusOf } from "#domain/refusals.ts";

const hideFields = ["password", "current"];

/**
 * Reads a form and does what it asks for; `run` returns a redirect. Mistakes and refusals come back beside the field
 * they belong to, or above the form, with what was typed apart from the password.
 */
export async function answerAccountForm<Input>(request: Request, schema: z.ZodType<Input>, run: (input: Input) => Promise<Response>) {
  const submission = parseWithZod(await readUploadForm(request), { schema });
  if (submission.status !== "success") return data<SubmissionResult>(submission.reply({ hideFields }), { status: 422 });
  try {
    return await run(submission.value);
  } catch (error) {
    const refusal = refusalOf(error);
    const { message, field } = refusal;
    const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return data<SubmissionResult>(submission.reply({ ...errors, hideFields }), { status: statusOf(refusal) });
  }
}
