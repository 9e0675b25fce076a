import { data } from "react-router";
import { type ModerationResult, toastsOf } from "#app/admin/posts/post-moderation.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { type Refusal, statusOf } from "#domain/refusals.ts";

export type Outcome = ModerationResult & { status: number };

/** Scripts get the answer as data; a plain form is redirected to `back`, which shows it as toasts. */
export function sendResult(form: FormData, { status, ...result }: Outcome, back: string) {
  if (form.get("scripted") === "yes") return data<ModerationResult>(result, { status });
  return redirectWithToast(back, toastsOf(result));
}

/** Runs `work`, which returns the text of the success toast. */
export async function outcomeOf(work: () => Promise<string>, failureText: (refusal: Refusal) => string): Promise<Outcome> {
  try {
    return { tone: "success", text: await work(), status: 200 };
  } catch (error) {
    const refusal = refusalOf(error);
    return { tone: "error", text: failureText(refusal), status: statusOf(refusal) };
  }
}
