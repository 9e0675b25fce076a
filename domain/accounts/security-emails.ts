import type { Letter } from "#platform/mail/mail.ts";
import { longDate } from "../dates.ts";
import type { Site } from "../site.ts";
import { greeting } from "./letters.ts";
import type { WaysIn } from "./ways-in.server.ts";

type Addressee = { name: string; email: string };

/** To the address that an account has, when another one is asked for. `stop` is the link that stops it. */
export function emailChangeRequestedEmail(
  site: Site,
  { email }: Pick<Addressee, "email">,
  { to, stop }: { to: string; stop: string },
): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your account at ${siteName}: change of address requested`,
    text: `Hello,

Someone who knows your password asked to change the email address of your account at ${siteName} to ${to}.
Nothing has changed yet.

If it was you, there is nothing to do. If it wasn't you, stop it here. This signs everyone out and lets you choose a new password:

${stop}
`,
  };
}

/** To the address that an account had until now. `undo` is the link that takes the account back, for 72 hours. */
export function emailChangedEmail(site: Site, { email }: Pick<Addressee, "email">, { to, undo }: { to: string; undo: string }): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your account at ${siteName}: email changed`,
    text: `Hello,

The email address of your account at ${siteName} has been changed to ${to}. You don't sign in with ${email} any more.

If it was you, there is nothing to do. If it wasn't you, take your account back within 72 hours. This gives it your address again,
signs everyone out and lets you choose a new password:

${undo}
`,
  };
}

/** To the address that an account had, when its owner before that has taken it back. */
export function emailRestoredEmail(site: Site, { email }: Pick<Addressee, "email">): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your account at ${siteName}: change of address undone`,
    text: `Hello,

The change of address of your account at ${siteName} to ${email} has been undone from its former address. The account has that
address again, and everyone has been signed out of it.

If you did not expect this, write to whoever runs ${siteName}: ${site.url}/contact
`,
  };
}

/** That somebody signed in from a device not seen before. `notMe` is the link that throws them out. */
export function newDeviceEmail(
  site: Site,
  { name, email }: Addressee,
  { device, network, lastSeenAt, notMe }: { device: string; network: string; lastSeenAt: number; notMe: string },
): Letter {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your account at ${siteName}: sign-in from a new device`,
    text: `Hello ${name},

Someone signed in to your account at ${siteName} from a device that we have not seen before:

${device}${network && `, from the network ${network}`}
${new Date(lastSeenAt).toISOString().slice(0, 16).replace("T", " ")} UTC

If it was you, there is nothing to do. If it wasn't you, sign everyone out here; we then email you a link for a new password:

${notMe}
`,
  };
}

/** That a new password was chosen through an email, and what can still sign in. */
export function recoveredEmail(site: Site, owner: Addressee & { emailVerified: boolean }, waysIn: WaysIn): Letter {
  const { siteName } = site.settings;
  return {
    to: owner.email,
    subject: `Your account at ${siteName}: password changed`,
    text: `${greeting(owner)},

A new password was chosen for your account at ${siteName} through a link that we emailed to you. All devices have been signed
out, and browsers that were trusted are not any more.

${whatCanSignIn(waysIn)}

If it wasn’t you, someone else reads your email: secure that first, then choose a new password again:

${site.url}/forgot-password
`,
  };
}

function whatCanSignIn({ passkeys, authenticator }: WaysIn): string {
  const lines = passkeys.map(({ name, createdAt }) => `- the passkey “${name}”, added ${longDate(createdAt)}`);
  if (authenticator) lines.push("- codes from an authenticator app are asked for after the password");
  if (lines.length === 0) return "Nothing but the new password can sign in.";
  return `Besides the new password these are still set up, unless you have removed them:\n\n${lines.join("\n")}`;
}
