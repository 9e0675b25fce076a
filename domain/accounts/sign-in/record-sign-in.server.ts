import { createHash } from "node:crypto";
import { accountTexts } from "#domain/accounts/account.ts";
import { notMeLink, notMeTtlMs } from "#domain/accounts/security/not-me-links.server.ts";
import { newDeviceEmail } from "#domain/accounts/security/security-emails.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { lockAccount } from "#domain/accounts/security/security-state.server.ts";
import { isWithinLimit, truncateNetwork } from "#domain/limits/rate-limits.server.ts";
import { sendEmail } from "#domain/mail/send-email.server.ts";
import { Invalid, isRefusal } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import type { KnownDeviceRow } from "#platform/database/rows/account-security-rows.ts";
import { newId } from "#platform/ids.ts";
import type { ClientInfo } from "./auth.server.ts";
import { deviceName } from "./device-name.ts";
import { deviceRetentionMs, knownDeviceId, rememberDevice } from "./known-devices.server.ts";

const maxOldDevices = 20;
const maxDevices = 200;
const emailsPerAccount = { max: 10, minutes: 60 };

/** `reauthenticated`: the person entered a credential just now; counts like `reauthenticate`. */
export type NewSignIn = { userId: string; token: string; epoch?: number | undefined; reauthenticated?: boolean };

/**
 * Records a sign-in in the security log and emails the owner about a new device, except the first one. A failure is only logged. @returns
 * the device cookie. @throws Invalid if the account was reset meanwhile; its session is deleted.
 */
export async function recordSignIn(site: Site, client: ClientInfo, signedIn: NewSignIn): Promise<string[]> {
  try {
    return await recordDevice(site, client, signedIn);
  } catch (err) {
    if (isRefusal(err)) throw err;
    site.log.error({ err, userId: signedIn.userId }, "a sign-in was not recorded");
    return [];
  }
}

async function recordDevice(site: Site, client: ClientInfo, signedIn: NewSignIn): Promise<string[]> {
  const cookie = rememberDevice(site, client.cookie, signedIn.userId);
  const browser = browserOf(knownDeviceId(site, cookie.split(";", 1)[0], signedIn.userId), signedIn.userId);
  const [device, network] = [deviceName(client.userAgent ?? ""), truncateNetwork(client.ip) ?? ""];
  const seen = { browser, device, network };
  const account = await transaction(site, async (tx) => {
    const account = await lockAccount(tx, signedIn.userId);
    if (!account) throw new Invalid(accountTexts.wrongCredentials);
    if (signedIn.epoch !== undefined && account.securityEpoch !== signedIn.epoch) return null;
    await recordSecurityEvent(tx, { userId: account.id, kind: "sign-in", origin: client });
    const fresh = await saveDevice(tx, account.id, seen);
    if (signedIn.reauthenticated) await saveReauthentication(tx, signedIn.token);
    // An unconfirmed address may belong to someone else.
    if (fresh && account.emailVerified) await emailNewDevice(site, tx, account, fresh);
    return account;
  });
  if (!account) {
    const { internalAdapter } = await site.auth.$context;
    await internalAdapter.deleteSession(signedIn.token);
    throw new Invalid(accountTexts.wrongCredentials);
  }
  return [cookie];
}

async function saveReauthentication({ db, now }: SiteTransaction, token: string): Promise<void> {
  const session = await db.selectFrom("sessions").select("id").where("token", "=", token).executeTakeFirst();
  if (session) await db.insertInto("session_verifications").values({ sessionId: session.id, verifiedAt: now() }).execute();
}

type DeviceDetails = Pick<KnownDeviceRow, "browser" | "device" | "network">;

async function saveDevice(tx: SiteTransaction, userId: string, seen: DeviceDetails): Promise<KnownDeviceRow | null> {
  const rows = await tx.db.selectFrom("known_devices").selectAll().where("userId", "=", userId).orderBy("lastSeenAt", "desc").execute();
  const known =
    rows.find(({ browser }) => browser !== null && browser === seen.browser) ??
    rows.find(({ device, network }) => device === seen.device && network === seen.network);
  const now = tx.now();
  if (known) {
    await tx.db
      .updateTable("known_devices")
      .set({ ...seen, lastSeenAt: now })
      .where("id", "=", known.id)
      .execute();
    return null;
  }
  const row: KnownDeviceRow = { id: newId(now), userId, ...seen, firstSeenAt: now, lastSeenAt: now };
  await tx.db.insertInto("known_devices").values(row).execute();
  const tooMany = devicesToForget(rows, now).map(({ id }) => id);
  if (tooMany.length > 0) await tx.db.deleteFrom("known_devices").where("id", "in", tooMany).execute();
  return rows.length > 0 ? row : null;
}

/**
 * `devices`: all before the newest, by last use. Those younger than a "This wasn't me" link stay, or an intruder could sign in repeatedly
 * to push the link's device out; beyond the limit, the newest of them go.
 */
function devicesToForget(devices: KnownDeviceRow[], now: number): KnownDeviceRow[] {
  const unused = devices.slice(maxOldDevices - 1).filter(({ firstSeenAt }) => firstSeenAt <= now - notMeTtlMs);
  const others = devices.filter((each) => !unused.includes(each)).sort((a, b) => a.firstSeenAt - b.firstSeenAt);
  return [...unused, ...others.slice(maxDevices - 1)];
}

type Addressee = { name: string; email: string };

async function emailNewDevice(site: Site, tx: SiteTransaction, account: Addressee, row: KnownDeviceRow): Promise<void> {
  const key = { kind: "new-device-email", subject: row.userId };
  if (!(await isWithinLimit({ ...site, db: tx.db }, key, emailsPerAccount))) return;
  const notMe = await notMeLink(site, { kind: "sign-in", id: row.id, userId: row.userId, to: account.email });
  await sendEmail(tx, { kind: "security", userId: row.userId, ...newDeviceEmail(site, account, { ...row, notMe }) });
}

export async function removeKnownDevices(tx: SiteTransaction, userId: string): Promise<void> {
  await tx.db.deleteFrom("known_devices").where("userId", "=", userId).execute();
}

export async function sweepDevices({ db, now }: Site): Promise<void> {
  await db
    .deleteFrom("known_devices")
    .where("lastSeenAt", "<", now() - deviceRetentionMs)
    .execute();
}

function browserOf(knownDeviceId: string | undefined, userId: string): string | null {
  return knownDeviceId === undefined ? null : createHash("sha256").update(`${knownDeviceId} ${userId}`).digest("base64url");
}
