import { mustBeAllowed } from "#domain/permissions.ts";
import type { Site, SiteTransaction, Viewer } from "#domain/site.ts";

/** About what a member wants to be written to. Emails about the account's security are no choice. */
export type EmailPreferences = { messages: boolean; followers: boolean };

const all: EmailPreferences = { messages: true, followers: true };

export async function readEmailPreferences({ db }: Site | SiteTransaction, userId: string): Promise<EmailPreferences> {
  const row = await db.selectFrom("email_choices").select(["messages", "followers"]).where("userId", "=", userId).executeTakeFirst();
  return row ?? all;
}

export async function saveEmailPreferences(site: Site, viewer: Viewer, choices: EmailPreferences): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await site.db
    .insertInto("email_choices")
    .values({ userId: viewer.id, ...choices })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(choices))
    .execute();
}

export async function wantsEmails(site: Site | SiteTransaction, userId: string, about: keyof EmailPreferences): Promise<boolean> {
  return (await readEmailPreferences(site, userId))[about];
}

export function preferencesFooter({ url, settings: { siteName } }: Pick<Site, "url" | "settings">): string {
  return `
The ${siteName} team

Choose which emails you get: ${url}/account#letters
`;
}
