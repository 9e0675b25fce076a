import { createECDH } from "node:crypto";
import { countRows } from "#platform/database/count-rows.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { FetchError } from "#platform/fetch/fetcher.ts";
import { deviceName } from "../accounts/sign-in/device-name.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { maxPushDevices, type PushDevice, pushTexts } from "./push-device.ts";

export type NewPushDevice = { endpoint: string; p256dh: string; auth: string; userAgent: string };

const endpointMaxLength = 1_000;
const userAgentMaxLength = 500;

export async function listPushDevices({ db }: Site, viewer: Viewer): Promise<PushDevice[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  const rows = await db
    .selectFrom("push_devices")
    .select(["number", "userAgent", "createdAt", "sessionId"])
    .where("userId", "=", viewer.id)
    .orderBy("number", "desc")
    .execute();
  return rows.map(({ number, userAgent, createdAt, sessionId }) => ({
    ...{ number: Number(number), browser: deviceName(userAgent), since: Number(createdAt), current: sessionId === viewer.sessionId },
  }));
}

/** Until the session ends. @throws Invalid for malformed keys or a private address, Conflict for an eleventh device. */
export async function addPushDevice(site: Site, viewer: Viewer, { userAgent, ...device }: NewPushDevice): Promise<void> {
  requirePermission(viewer, "get notifications on a device", viewer?.id);
  const { sessionId } = viewer;
  if (sessionId === null || !areValidKeys(device) || device.endpoint.length > endpointMaxLength) throw new Invalid(pushTexts.wrong);
  await site.poster.check(device.endpoint).catch((error) => {
    throw error instanceof FetchError ? new Invalid(pushTexts.wrong) : error;
  });
  const { endpoint, p256dh: publicKey, auth: secret } = device;
  const owner = { userId: viewer.id, sessionId, userAgent: userAgent.slice(0, userAgentMaxLength), createdAt: site.now(), failures: 0 };
  await transaction(site, async (tx) => {
    // Locks the member, so that the count is correct.
    await forUpdate(tx, tx.db.selectFrom("users").select("id").where("id", "=", viewer.id)).executeTakeFirstOrThrow();
    await tx.db.deleteFrom("push_devices").where("sessionId", "=", sessionId).execute();
    const others = tx.db.selectFrom("push_devices").where("userId", "=", viewer.id).where("endpoint", "<>", endpoint);
    if ((await countRows(others)) >= maxPushDevices) throw new Conflict(pushTexts.tooMany);
    // Another member may have used this browser. The secret proves that it is the same browser.
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("push_devices")
      .values({ ...owner, endpoint, publicKey, secret })
      .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(owner).where("push_devices.secret", "=", secret))
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw new Invalid(pushTexts.wrong);
  });
}

function areValidKeys({ p256dh, auth }: Pick<NewPushDevice, "p256dh" | "auth">): boolean {
  if (!/^[\w-]{87}$/.test(p256dh) || !/^[\w-]{22}$/.test(auth)) return false;
  const curve = createECDH("prime256v1");
  curve.generateKeys();
  try {
    return curve.computeSecret(p256dh, "base64url").length > 0;
  } catch {
    return false;
  }
}

export async function removePushDevice({ db }: Site, viewer: Viewer, number: number): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  await db.deleteFrom("push_devices").where("number", "=", number).where("userId", "=", viewer.id).execute();
}

export async function hasPushDevice({ db }: SiteTransaction, userId: string): Promise<boolean> {
  return (await db.selectFrom("push_devices").select("number").where("userId", "=", userId).executeTakeFirst()) !== undefined;
}

export async function removePushDevicesOf({ db }: SiteTransaction, userId: string): Promise<void> {
  await db.deleteFrom("push_devices").where("userId", "=", userId).execute();
}
