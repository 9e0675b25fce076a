import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/** About what a member wants to be written to. Letters about the account's security are no choice. */
export type LetterChoices = { messages: boolean; followers: boolean };

const all: LetterChoices = { messages: true, followers: true };

/** What a member has chosen; everything until they have. */
export async function readLetterChoices({ db }: Site, userId: string): Promise<LetterChoices> {
  const row = await db.selectFrom("email_choices").select(["messages", "followers"]).where("userId", "=", userId).executeTakeFirst();
  return row ?? all;
}

/** Keeps what the viewer wants. @throws SignInFirst. */
export async function saveLetterChoices(site: Site, viewer: Viewer, choices: LetterChoices): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await site.db
    .insertInto("email_choices")
    .values({ userId: viewer.id, ...choices })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(choices))
    .execute();
}

/** Whether a member wants letters about this. */
export async function wantsLetters(site: Site, userId: string, about: keyof LetterChoices): Promise<boolean> {
  return (await readLetterChoices(site, userId))[about];
}

/** The last lines of each such letter. */
export function howToEndThem({ url, settings: { siteName } }: Site): string {
  return `
The ${siteName} team

Choose which emails you get: ${url}/account#letters
`;
}
