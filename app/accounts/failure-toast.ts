import { data } from "react-router";
import { isRequestFailure, limitMessage } from "#app/shell/closed.ts";
import { showToast } from "#app/shell/toasts.tsx";

const tryAgain = "Something went wrong. Please try again.";

/**
 * For a `clientAction`: shows `text` as a toast when the form comes back. After a request failure the form comes back too,
 * with the reason.
 */
export async function withFailureToast<Result>(send: () => Promise<Result>, text?: string) {
  const result = await send().catch((error: unknown) => {
    // Redirects and error pages are thrown too.
    if (!isRequestFailure(error)) throw error;
    const reason = limitMessage(error) ?? tryAgain;
    if (!text) showToast({ tone: "error", text: reason });
    // An error status stops React Router from reloading the page's data over the same lost connection.
    return data({ values: {}, errors: { form: reason } }, { status: 503 });
  });
  if (result && text) showToast({ tone: "error", text });
  return result;
}
