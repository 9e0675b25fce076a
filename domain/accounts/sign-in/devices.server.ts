import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { resetSecurity } from "#domain/accounts/security/security-state.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { type Site, transaction, type Viewer } from "#domain/site.ts";
import type { ClientInfo } from "./auth.server.ts";

export type Device = { id: string; userAgent: string; ip: string; since: number; lastSeen: number; current: boolean };

export async function listDevices(site: Site, viewer: Viewer): Promise<Device[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  const rows = await site.db
    .selectFrom("sessions")
    .select(["id", "userAgent", "ipAddress", "createdAt", "updatedAt", "expiresAt"])
    .where("userId", "=", viewer.id)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .execute();
  return rows
    .filter(({ expiresAt }) => new Date(expiresAt).getTime() > site.now())
    .map(({ id, userAgent, ipAddress, createdAt, updatedAt }) => ({
      id,
      userAgent: userAgent ?? "",
      ip: ipAddress ?? "",
      since: new Date(createdAt).getTime(),
      lastSeen: new Date(updatedAt).getTime(),
      current: id === viewer.sessionId,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

export type DeviceSelection = { id: string } | "all others" | "all";

/** `all others` and `all` also revoke links and trusted browsers. Idempotent. */
export async function signOutDevices(site: Site, viewer: Viewer, client: ClientInfo, which: DeviceSelection): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  if (typeof which === "object") {
    await site.db.deleteFrom("sessions").where("userId", "=", viewer.id).where("id", "=", which.id).execute();
    return;
  }
  await transaction(site, async (tx) => {
    await resetSecurity(tx, viewer.id, { keepSession: which === "all" ? null : viewer.sessionId });
    await recordSecurityEvent(tx, { userId: viewer.id, kind: "signed-out-everywhere", origin: client });
  });
}
