import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type SignedIn, signUp } from "#domain/accounts/accounts.server.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { confirmEmailManually, grantRole, hasAdministrator } from "#domain/accounts/staff-roles.server.ts";
import { enforceRateLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { sendTestEmailTo } from "#domain/mail/test-email.server.ts";
import type { TestEmailResult } from "#domain/mail/test-email.ts";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import type { Settings } from "#domain/settings/settings.ts";
import { newId } from "#platform/ids.ts";
import { days } from "#platform/time.ts";
import { NotFound } from "../refusals.ts";
import { type Site, transaction } from "../site.ts";
import { setupTexts } from "./setup.ts";
import type { SetupInput } from "./setup-input.ts";

const identifier = "setup-link";
const setupPage = { id: null, name: "Setup page" };
const linkTtlMs = days(30);
/** Each start of each process creates one. */
const maxLinks = 10;
const testEmails = { max: 20, minutes: 60 };

/** Null once there is an administrator. Earlier links work until one is used. Only hashes are stored. */
export async function makeSetupLink(site: Site): Promise<string | null> {
  if (await hasAdministrator(site)) {
    await removeLinks(site);
    return null;
  }
  const token = randomBytes(32).toString("base64url");
  const date = new Date(site.now()).toISOString();
  const expiresAt = new Date(site.now() + linkTtlMs).toISOString();
  const link = { id: newId(site.now()), identifier, value: hashOf(token), expiresAt, createdAt: date, updatedAt: date };
  await transaction(site, async (tx) => {
    await tx.db.insertInto("verifications").values(link).execute();
    const links = tx.db.selectFrom("verifications").select("id").where("identifier", "=", identifier).orderBy("expiresAt", "desc");
    await tx.db.deleteFrom("verifications").where("identifier", "=", identifier).where("id", "not in", links.limit(maxLinks)).execute();
  });
  return `${site.url}/setup?token=${token}`;
}

export type SetupPage = Pick<
  Settings,
  "siteName" | "siteDescription" | "landingFigures" | "landingIntro" | "landingCommunity" | "allowRegistration"
> & { mailDelivers: boolean };

/** @throws NotFound without a valid link or once there is an administrator. */
export async function readSetup(site: Site, token: string): Promise<SetupPage> {
  await requireLink(site, token);
  const { siteName, siteDescription, landingFigures, landingIntro, landingCommunity, allowRegistration } = site.settings;
  const settings = { siteName, siteDescription, landingFigures, landingIntro, landingCommunity, allowRegistration };
  return { ...settings, mailDelivers: site.mail.delivers };
}

/** @throws NotFound, TooMany. */
export async function trySetupEmail(site: Site, client: ClientInfo, token: string, to: string): Promise<TestEmailResult> {
  await requireLink(site, token);
  await enforceRateLimit(site, { kind: "setup-email", network: networkOf(client.ip) }, testEmails);
  return sendTestEmailTo(site, to);
}

/** Only one of several concurrent calls succeeds. If creating the account fails, the links work again. @throws NotFound; like `signUp`. */
export async function setUpSite(
  site: Site,
  client: ClientInfo,
  token: string,
  { name, email, password, ...settings }: SetupInput,
): Promise<SignedIn> {
  await requireLink(site, token);
  const links = await removeLinks(site);
  if (links.length === 0) throw new NotFound(setupTexts.linkUsed);
  try {
    await saveSettingsAsOperator(site, settings, setupPage);
    const signedIn = await signUp(site, client, { name, email, password }, { byOperator: true });
    await confirmEmailManually(site, email, setupPage);
    await grantRole(site, null, email, "administrator", setupPage);
    return signedIn;
  } catch (error) {
    await site.db.insertInto("verifications").values(links).execute();
    throw error;
  }
}

async function requireLink(site: Site, token: string): Promise<void> {
  const links = await site.db.selectFrom("verifications").selectAll().where("identifier", "=", identifier).execute();
  const hash = Buffer.from(hashOf(token));
  const isKnown = links
    .filter(({ expiresAt }) => new Date(expiresAt).getTime() > site.now())
    .some(({ value }) => value.length === hash.length && timingSafeEqual(Buffer.from(value), hash));
  if (!isKnown || (await hasAdministrator(site))) throw new NotFound();
}

/** Atomic: only one caller gets the rows. */
function removeLinks({ db }: Site) {
  return db.deleteFrom("verifications").where("identifier", "=", identifier).returningAll().execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
