import {
  type Administrator,
  confirmAddressByHand,
  grantAdministrator,
  listAdministrators,
  revokeAdministrator,
} from "#domain/accounts/administrators.server.ts";
import { makeKey } from "#domain/accounts/keys.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import { sessionValue } from "#server/v1/sessions.ts";

/** What the console prints, and the exit code. */
export type Answer = { text: string; code: 0 | 1 };

const usage = `Usage:
  npm run admin -- grant EMAIL     make the account an administrator
  npm run admin -- revoke EMAIL    take that back
  npm run admin -- confirm EMAIL   vouch for the account's address yourself
  npm run admin -- key EMAIL       make a key with which a program acts as the account (docs/api.md)
  npm run admin -- list            show who administers the site`;

/** Carries out one console command. `mailFolder` is where letters lie on a site without a mail server. */
export async function answerAdminCommand(site: Site, mailFolder: string, [verb, email, ...rest]: string[]): Promise<Answer> {
  if (verb === "list" && email === undefined) return { text: list(await listAdministrators(site), site.adminEmails), code: 0 };
  const run = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!run || !email || rest.length > 0) return { text: usage, code: 1 };
  try {
    return { text: await run(site, email, mailFolder), code: 0 };
  } catch (error) {
    if (isRefusal(error)) return { text: error.message, code: 1 };
    throw error;
  }
}

const verbs: Record<string, (site: Site, email: string, mailFolder: string) => Promise<string>> = {
  async grant(site, given, mailFolder) {
    const { name, email, confirmed } = await grantAdministrator(site, given);
    if (confirmed) return `${name} (${email}) administers the site now.`;
    const where = site.mail.delivers ? `in the mail sent to ${email}` : `in the newest letter to ${email} under ${mailFolder}`;
    return [
      `Recorded: ${name} (${email}) will administer the site once the address is confirmed.`,
      `The link for that is ${where}; or vouch for the address yourself: npm run admin -- confirm ${email}`,
    ].join("\n");
  },

  async revoke(site, given) {
    const { name, email, listed } = await revokeAdministrator(site, given);
    if (!listed) return `${name} (${email}) does not administer the site.`;
    return `The grant is gone, but ${email} is on ADMIN_EMAILS: take it out there too and start the site again.`;
  },

  async confirm(site, given) {
    const { name, email, granted, listed } = await confirmAddressByHand(site, given);
    const consequence = granted || listed ? " and administers the site now" : "";
    return `${name} (${email}) has a confirmed address${consequence}.`;
  },

  async key(site, given) {
    const { name, userId, token, expiresAt } = await makeKey(site, given);
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    return [
      `Whoever has this acts as ${name} until ${until}, or until all sessions of the account are ended:`,
      sessionValue(site, userId, token),
    ].join("\n");
  },
};

function list(administrators: Administrator[], adminEmails: string[]): string {
  const lines = administrators.map(({ name, email, confirmed, granted, listed }) => {
    const how = [granted && "granted", listed && "on ADMIN_EMAILS", !confirmed && "address not confirmed yet"].filter(Boolean);
    return `${email}  ${name}  (${how.join(", ")})`;
  });
  const waiting = adminEmails.filter((email) => !administrators.some((each) => each.email === email));
  for (const email of waiting) lines.push(`${email}  (on ADMIN_EMAILS, no account yet)`);
  return lines.join("\n") || "Nobody administers this site yet.";
}
