import { enforceRateLimit } from "../limits/rate-limits.server.ts";
import type { Site, SiteTransaction } from "../site.ts";
import { forgetSearchWords } from "./unused-words.server.ts";

const namesPerMember = { max: 10, minutes: 60 };

/** Call it before anything is stored. @throws TooMany for the eleventh new name in an hour. */
export async function limitRenames(site: Site, userId: string, name: string): Promise<void> {
  const before = await site.db.selectFrom("profiles").select("userName").where("userId", "=", userId).executeTakeFirst();
  if (before?.userName !== name) await enforceRateLimit(site, { kind: "rename", subject: userId }, namesPerMember, "Too many new names");
}

/** Makes a member's stories searchable by their new name, after the commit. */
export async function renameAuthor(
  tx: SiteTransaction,
  userId: string,
  { before, name }: { before: string | undefined; name: string },
): Promise<void> {
  await forgetSearchWords(tx, { before, after: name, renamed: userId });
}
