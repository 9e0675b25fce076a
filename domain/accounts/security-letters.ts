import type { Letter } from "#platform/mail/mail.ts";
import type { Site } from "../site.ts";
import { greeting } from "./letters.ts";

type Addressee = { name: string; email: string };
type Owner = Addressee & { id: string };

/** Asks at the new address whether it belongs to the account. */
export function emailChangeLetter(site: Site, { email }: Pick<Addressee, "email">, token: string): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Confirm your new address for ${siteName}`,
    text: `Hello,

please open this link within a day to use ${email} for your account at ${siteName}:

${site.url}/account/email?token=${encodeURIComponent(token)}

If you have not asked for it, ignore this letter: nothing changes.
`,
  };
}

const happened = {
  "password changed": "the password of your account has been changed, and all your other devices have been signed out",
  "passkey added": "a passkey has been added to your account: whoever holds it can sign in",
  "passkey removed": "a passkey has been removed from your account",
  "authenticator on": "signing in to your account asks for a code from your authenticator app now",
  "authenticator off": "signing in to your account does not ask for a code any more",
  "authenticator removed":
    "whoever runs the site has removed the authenticator app from your account: signing in does not ask for a code any more. All your devices have been signed out",
  "backup codes renewed": "your account has new backup codes, and the old ones are void",
} as const;

export type SecurityEvent = keyof typeof happened;

/**
 * Tells the owner of an account what was done to it; these letters go out whatever the settings say. What was done stays
 * done when the letter can't be sent. `notMe` is a link that undoes it.
 */
export async function tellOwner(site: Site, owner: Owner, event: SecurityEvent, notMe?: string): Promise<void> {
  await writeToOwner(site, owner, event, notMe).catch((err) => site.log.error({ err, event }, "security letter not sent"));
}

async function writeToOwner(site: Site, { id, name, email }: Owner, event: SecurityEvent, notMe?: string): Promise<void> {
  const { siteName } = site.settings;
  // The site may let members do without confirming their address: what a viewer may do doesn't say whose address it is.
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", id).executeTakeFirst();
  const undo = "undo it here. This signs out everybody, and we email you a link for a new password";
  await site.mail.send({
    to: email,
    subject: `Your account at ${siteName}: ${event}`,
    text: `${greeting({ name, emailVerified: user?.emailVerified })},

${happened[event]}.

If it was you, there is nothing to do. If it wasn't you, ${notMe ? undo : "choose a new password at once"}:

${notMe ?? `${site.url}/forgot-password`}

Then write to whoever runs ${siteName}: ${site.url}/contact
`,
  });
}

/** The last letter. */
export function farewellLetter(site: Site, { name, email, emailVerified }: Addressee & { emailVerified?: boolean }): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your account at ${siteName} has been deleted`,
    text: `${greeting({ name, emailVerified })},

your account at ${siteName} has been deleted as you asked, with your stories, messages, likes, bookmarks and follows.
We know nothing about you any more, and this is our last letter.
`,
  };
}
