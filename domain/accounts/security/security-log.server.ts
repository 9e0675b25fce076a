import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { deviceName } from "#domain/accounts/sign-in/device-name.ts";
import { truncateNetwork } from "#domain/limits/rate-limits.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import type { Site, SiteTransaction, Viewer } from "#domain/site.ts";
import { deleteInBatches } from "#platform/database/batches.ts";
import { days } from "#platform/time.ts";
import type { SecurityEventKind } from "./security-event.ts";

export type SecurityEntry = { number: number; kind: SecurityEventKind; device: string; network: string; at: number };

const retentionMs = days(180);
const maxEntriesPerAccount = 200;
const pageSize = 50;
const rowsPerBatch = 1_000;

/** Keeps entries for 180 days and at most the newest 200. `origin` is null for events without a browser. */
export async function recordSecurityEvent(
  tx: Pick<SiteTransaction, "db" | "now">,
  { userId, kind, origin }: { userId: string; kind: SecurityEventKind; origin: ClientInfo | null },
): Promise<void> {
  const device = origin ? deviceName(origin.userAgent ?? "") : "";
  const network = origin ? (truncateNetwork(origin.ip) ?? "") : "";
  const at = tx.now();
  await tx.db.insertInto("security_events").values({ userId, kind, device, network, at }).execute();
  const oldest = await tx.db
    .selectFrom("security_events")
    .select("number")
    .where("userId", "=", userId)
    .orderBy("number", "desc")
    .limit(1)
    .offset(maxEntriesPerAccount)
    .executeTakeFirst();
  await tx.db
    .deleteFrom("security_events")
    .where("userId", "=", userId)
    .where((eb) => eb.or([eb("at", "<", at - retentionMs), eb("number", "<=", oldest?.number ?? 0)]))
    .execute();
}

/** Reads by number, which grows with time: there is no index on `at`. */
export async function sweepSecurityEvents({ db, now }: Site): Promise<void> {
  const oldest = db.selectFrom("security_events").select(["number", "at"]).orderBy("number").limit(rowsPerBatch).as("oldest");
  const expired = db
    .selectFrom(oldest)
    .select("number")
    .where("at", "<", now() - retentionMs);
  await deleteInBatches(rowsPerBatch, db.deleteFrom("security_events").where("number", "in", expired));
}

export async function listSecurityEvents(site: Site, viewer: Viewer): Promise<SecurityEntry[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  const rows = await site.db
    .selectFrom("security_events")
    .select(["number", "kind", "device", "network", "at"])
    .where("userId", "=", viewer.id)
    .where("at", ">=", site.now() - retentionMs)
    .orderBy("number", "desc")
    .limit(pageSize)
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as SecurityEventKind }));
}
