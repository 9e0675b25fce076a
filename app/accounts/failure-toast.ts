import type { SubmissionResult } from "@conform-to/react";
import { data } from "react-router";
import { isNetworkFailure, limitMessage } from "#app/shell/closed.ts";
import { showToast } from "#app/shell/toasts.tsx";

const lost = "Something went wrong. Please try again.";

/**
 * For a `clientAction`: says with a toast that the form came back. A lost connection must not take the form away, so it
 * comes back like any other mistake.
 */
export async function withFailureToast<Answer extends SubmissionResult>(send: () => Promise<Answer | undefined>, text?: string) {
  const answer = await send().catch((error: unknown) => answerToFault(error, text));
  if (answer && text) showToast({ tone: "error", text });
  return answer;
}

function answerToFault(error: unknown, text: string | undefined) {
  // Whatever else is thrown is a redirect or a page.
  if (!isNetworkFailure(error)) throw error;
  const reason = limitMessage(error) ?? lost;
  if (!text) showToast({ tone: "error", text: reason });
  const answer: SubmissionResult = { status: "error", error: { "": [reason] } };
  // The status keeps React Router from loading the page again, over the same lost connection.
  return data(answer, { status: 503 });
}
