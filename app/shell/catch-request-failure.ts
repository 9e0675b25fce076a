import { data } from "react-router";
import { isRequestFailure, limitMessage } from "./closed.ts";
import { showToast } from "./toasts.tsx";

/** For a `clientAction`: after a request failure the page gets `lost`, and shows `toast` if it has no place for an error. */
export async function catchRequestFailure<Given, Lost>(send: () => Promise<Given>, lost: Lost, toast?: string) {
  try {
    return await send();
  } catch (error) {
    if (!isRequestFailure(error)) throw error;
    const limit = limitMessage(error);
    const text = limit ?? toast;
    if (text) showToast({ tone: "error", text });
    // A success status would make the router reload the page's data over the same lost connection.
    return data(lost, { status: 503 });
  }
}
