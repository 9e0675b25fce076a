import { type ApiKeyScope, apiKeyScopes } from "#domain/accounts/api-keys/api-key.ts";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { removeSecondStepManually } from "#domain/accounts/security/remove-second-step.server.ts";
import { confirmEmailManually, grantRole, listStaff, revokeRole, type StaffMember } from "#domain/accounts/staff-roles.server.ts";
import { auditCheckText, verifyAudit } from "#domain/audit/chain.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import { type Site, type StaffRole, staffRoles } from "#domain/site.ts";
import { commandLine } from "#platform/config.ts";

/** Lines for the console, and the exit code. */
export type CommandResult = { text: string; code: 0 | 1 };

const admin = (rest: string) => commandLine("admin", rest);
const usage = `Usage:
  ${admin("grant EMAIL")}     make the account an administrator, or with --role moderator a moderator
  ${admin("revoke EMAIL")}    remove the role
  ${admin("second-step off")} let staff in without an authenticator app or passkey, if everyone is locked out
  ${admin("remove-second-step EMAIL")}
                                   remove the account's second step and sign it out everywhere
  ${admin("verify-audit")}    check that the audit log is intact
  ${admin("confirm EMAIL")}   confirm the account's email yourself
  ${admin("key EMAIL [read] [write] [moderate]")}
                                   create an API key for the account (docs/api.md)
  ${admin("list")}            show who is on the staff`;

/** Arguments after a verb and its subject. */
const roleOption = "--role";

/** Runs one console command. `mailFolder` holds the emails of a site without a mail server. */
export async function runAdminCommand(site: Site, mailFolder: string, [verb, email, ...rest]: string[]): Promise<CommandResult> {
  if (verb === "list" && email === undefined) return { text: list(await listStaff(site), site.adminEmails), code: 0 };
  if (verb === "verify-audit" && email === undefined) return verify(site);
  const run = verb !== undefined && Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  const options = parseOptions(verb, rest);
  if (!run || !email || !options) return { text: usage, code: 1 };
  try {
    return { text: await run(site, email, mailFolder, options), code: 0 };
  } catch (error) {
    if (isRefusal(error)) return { text: error.message, code: 1 };
    throw error;
  }
}

type Options = { role: StaffRole; scopes: ApiKeyScope[] };
type Command = (site: Site, email: string, mailFolder: string, options: Options) => Promise<string>;

/** Undefined for an unknown option. */
function parseOptions(verb: string | undefined, rest: string[]): Options | undefined {
  const [option, roleName, ...more] = rest;
  const role = staffRoles.find((each) => each === roleName);
  if (verb === "key") return rest.every(isScope) ? { role: "administrator", scopes: rest } : undefined;
  if (rest.length === 0) return { role: "administrator", scopes: [] };
  return verb === "grant" && option === roleOption && role && more.length === 0 ? { role, scopes: [] } : undefined;
}

function isScope(word: string): word is ApiKeyScope {
  return (apiKeyScopes as readonly string[]).includes(word);
}

const keyDays = 365;

async function verify(site: Site): Promise<CommandResult> {
  const check = await verifyAudit(site, null);
  return { text: auditCheckText(check), code: check.changed.length + check.broken.length > 0 ? 1 : 0 };
}

const roleTexts = { administrator: ["administers", "administer"], moderator: ["moderates", "moderate"] } as const;

const commands: Record<string, Command> = {
  async grant(site, given, mailFolder, { role }) {
    const { name, email, confirmed } = await grantRole(site, null, given, role);
    if (confirmed) return `${name} (${email}) now ${roleTexts[role][0]} the site.`;
    const where = site.mail.delivers ? `in the email sent to ${email}` : `in the newest email to ${email} in ${mailFolder}`;
    return [
      `Recorded: ${name} (${email}) will ${roleTexts[role][1]} the site once the email is confirmed.`,
      `The confirmation link is ${where}. To confirm it yourself, run: ${admin(`confirm ${email}`)}`,
    ].join("\n");
  },

  async revoke(site, given) {
    const { name, email, listed } = await revokeRole(site, null, given);
    if (!listed) return `${name} (${email}) no longer has a staff role.`;
    return `The role is removed, but ${email} is in ADMIN_EMAILS. Remove it there too and restart the site.`;
  },

  async "second-step"(site, given) {
    if (given !== "off") return usage;
    await saveSettingsAsOperator(site, { staffSecondStep: false });
    return "Staff can now sign in without two-step verification. Turn it back on in the settings once someone has set it up.";
  },

  async "remove-second-step"(site, given) {
    const { name, email } = await removeSecondStepManually(site, given);
    return [
      `${name} (${email}) no longer has an authenticator app, is signed out everywhere, and was emailed about it.`,
      "The password alone now signs in: ask the owner to choose a new one (Forgot password) and to check their passkeys.",
    ].join("\n");
  },

  async confirm(site, given) {
    const { name, email, granted, listed } = await confirmEmailManually(site, given);
    const staffNote = granted || listed ? " and a staff role" : "";
    return `${name} (${email}) now has a confirmed email${staffNote}.`;
  },

  async key(site, given, _mailFolder, { scopes: chosen }) {
    const scopes: ApiKeyScope[] = chosen.length > 0 ? chosen : ["read"];
    const { name, secret } = await createApiKeyFor(site, given, { name: "Created at the console", scopes, days: keyDays });
    return [
      `Anyone with this key can ${scopes.join(", ")} as ${name} for a year, or until it’s removed on their account page. You won’t see it again:`,
      secret,
    ].join("\n");
  },
};

function list(administrators: StaffMember[], adminEmails: string[]): string {
  const lines = administrators.map(({ name, email, role, confirmed, granted, listed }) => {
    const notes = [
      role === "moderator" && "moderator",
      granted && "granted",
      listed && "in ADMIN_EMAILS",
      !confirmed && "email not confirmed",
    ].filter(Boolean);
    return `${email}  ${name}  (${notes.join(", ")})`;
  });
  const withoutAccount = adminEmails.filter((email) => !administrators.some((each) => each.email === email));
  for (const email of withoutAccount) lines.push(`${email}  (in ADMIN_EMAILS, no account yet)`);
  return lines.join("\n") || "This site has no administrator yet.";
}
