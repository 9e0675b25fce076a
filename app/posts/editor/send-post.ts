import { data } from "react-router";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import type { PostRefusal } from "#app/posts/post-refusal.ts";
import { isNetworkFailure, limitMessage } from "#app/shell/closed.ts";

/** `verb` as the specification has it: create, update. */
export function refusal(verb: "create" | "update", reason: string, rest: Partial<PostRefusal> = {}): PostRefusal {
  return { message: `Failed to ${verb} post: ${reason}`, errors: {}, freeSlug: undefined, typed: null, changed: null, ...rest };
}

let publishing: DraftSession | undefined;

export function beginPublishing(session: DraftSession): void {
  publishing = session;
}

/** The answer leads to the story: the browser forgets its copy before anything else happens. */
async function wasPublished(): Promise<void> {
  await publishing?.finish();
  publishing = undefined;
}

/**
 * Sends the form. A lost connection must not take it away: what was typed stays, and sending again is safe. When the answer
 * leads to the story, what the browser kept has done its work.
 */
export async function sendPost<Answer>(verb: "create" | "update", send: () => Promise<Answer>) {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Response && error.headers.get("location")?.startsWith("/post/")) await wasPublished();
    if (!isNetworkFailure(error)) throw error;
    // With a success, the page's data would be reloaded, and fail too.
    return data(refusal(verb, limitMessage(error) ?? "the connection was lost. Your text is safe here. Please try again."), {
      status: 503,
    });
  }
}
