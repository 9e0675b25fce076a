import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/** A browser in which somebody is signed in. Times in milliseconds. */
export type Device = { id: string; userAgent: string; address: string; since: number; lastSeen: number; current: boolean };

/** Where the viewer is signed in, this device first. @throws SignInFirst. */
export async function listDevices(site: Site, viewer: Viewer): Promise<Device[]> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
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
      address: ipAddress ?? "",
      since: new Date(createdAt).getTime(),
      lastSeen: new Date(updatedAt).getTime(),
      current: id === viewer.sessionId,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/**
 * Signs the viewer out on one device, or on all but this one. A device that is signed out already stays so, and somebody
 * else's is left alone.
 * @throws SignInFirst.
 */
export async function signOutDevices(site: Site, viewer: Viewer, which: { id: string } | "all others"): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  const own = site.db.deleteFrom("sessions").where("userId", "=", viewer.id);
  if (which !== "all others") await own.where("id", "=", which.id).execute();
  else await own.where("id", "<>", viewer.sessionId ?? "").execute();
}
