import type { PostRow } from "#platform/database/schema.ts";
import { enforceRateLimit } from "../limits/rate-limits.server.ts";
import { may } from "../permissions.ts";
import type { Member, Site } from "../site.ts";

const changesPerWriter = { max: 60, minutes: 60 };

/** SQLite indexes all words of the story again, which takes up to 0.5 s of the only thread. @throws TooMany for a writer. */
export async function limitStatusChanges(
  site: Site,
  viewer: Member,
  { userId, status }: Pick<PostRow, "userId" | "status">,
  next: PostRow["status"],
): Promise<void> {
  if (status === next || viewer.id !== userId || may(viewer, "moderate stories")) return;
  await enforceRateLimit(site, { kind: "status", subject: userId }, changesPerWriter, "You’ve published or unpublished stories too often");
}
