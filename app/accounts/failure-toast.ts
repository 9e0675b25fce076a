import type { SubmissionResult } from "@conform-to/react";
import { data } from "react-router";
import { isNetworkFailure, limitMessage } from "#app/shell/closed.ts";
import { showToast } from "#app/shell/toasts.tsx";

const tryAgain = "Something went wrong. Please try again.";

/**
 * For a `clientAction`: shows `text` as a toast when the form comes back. After a network failure the form comes back too,
 * with the reason.
 */
export async function withFailureToast<Answer extends SubmissionResult>(send: () => Promise<Answer | undefined>, text?: string) {
  const answer = await send().catch((error: unknown) => answerFailure(error, text));
  if (answer && text) showToast({ tone: "error", text });
  return answer;
}

function answerFailure(error: unknown, text: string | undefined) {
  // Redirects and error pages are thrown too.
  if (!isNetworkFailure(error)) throw error;
  const reason = limitMessage(error) ?? tryAgain;
  if (!text) showToast({ tone: "error", text: reason });
  const answer: SubmissionResult = { status: "error", error: { "": [reason] } };
  // An error status stops React Router from reloading the page's data over the same lost connection.
  return data(answer, { status: 503 });
}
