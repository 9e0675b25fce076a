import type { DraftSession } from "#app/drafts/session/draft-session.ts";

let publishing: DraftSession | undefined;

export function beginPublishing(session: DraftSession): void {
  publishing = session;
}

/** The answer leads to the story: the browser forgets its copy before anything else happens. */
export async function wasPublished(): Promise<void> {
  await publishing?.finish();
  publishing = undefined;
}
