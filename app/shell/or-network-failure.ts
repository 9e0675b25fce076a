import { data } from "react-router";
import { isNetworkFailure, limitMessage } from "./closed.ts";
import { showToast } from "./toasts.tsx";

/**
 * A `clientAction` as it should be: `answer` is what the page shows when the server's own never came,
 * `toast` what is said where it shows nothing.
 */
export async function orNetworkFailure<Given, Lost>(send: () => Promise<Given>, answer: Lost, toast?: string) {
  try {
    return await send();
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
    const limit = limitMessage(error);
    const text = limit ?? toast;
    if (text) showToast({ tone: "error", text });
    // With a success the page's data would be reloaded, over the same lost connection.
    return data(answer, { status: 503 });
  }
}
