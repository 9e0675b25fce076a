import { createHash, createHmac, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import { countRows } from "#platform/database/count-rows.ts";
import type { AuditRow } from "#platform/database/rows/audit-rows.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";

/** Hashed with a random salt per entry: once the salt is deleted with an account, the content can't be found by guessing. */
export type AuditContent = Pick<
  Selectable<AuditRow>,
  "userId" | "userName" | "action" | "subject" | "before" | "after" | "actionId" | "network" | "createdAt"
>;

export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

export function contentHash(salt: string, content: AuditContent): string {
  const { userId, userName, action, subject, before, after, actionId, network, createdAt } = content;
  const serialized = JSON.stringify([userId, userName, action, subject, before, after, actionId, network, Number(createdAt)]);
  return createHmac("sha256", salt).update(serialized).digest("hex");
}

const beginning = "0".repeat(64);

function chained(before: string, link: number, content: string): string {
  return createHash("sha256").update(`${before}\n${link}\n${content}`).digest("hex");
}

/** Any number not used by another lock. */
const chainLock = 7_281_001;

/** Must run last in a transaction: on PostgreSQL it blocks all other writers of the log until the commit. */
export async function chainEntry(tx: SiteTransaction, number: number, content: string): Promise<void> {
  if (tx.engine === "postgres") await sql`select pg_advisory_xact_lock(${chainLock})`.execute(tx.db);
  const last = await tx.db
    .selectFrom("audit_log")
    .select(["link", "hash"])
    .where("link", "is not", null)
    .orderBy("link", "desc")
    .limit(1)
    .executeTakeFirst();
  const link = Number(last?.link ?? 0) + 1;
  const hash = chained(last?.hash ?? beginning, link, content);
  await tx.db.updateTable("audit_log").set({ link, hash }).where("number", "=", number).execute();
}

/** `changed` and `broken` hold entry numbers. */
export type AuditCheck = {
  entries: number;
  older: number;
  /** Emptied by account deletions. */
  blanked: number;
  changed: number[];
  broken: number[];
  /** Hash of the last link. Stored elsewhere, it proves later that the end wasn't cut off. */
  head: string | null;
};

const rowsPerRead = 1_000;
const maxListedBreaks = 50;

export async function verifyAudit(site: Site, viewer: Viewer): Promise<AuditCheck> {
  if (viewer) requirePermission(viewer, "see the audit log");
  const older = await countRows(site.db.selectFrom("audit_log").where("link", "is", null));
  const check: AuditCheck = { entries: older, older, blanked: 0, changed: [], broken: [], head: null };
  let [link, hash] = [0, beginning];
  for (;;) {
    const rows = await site.db.selectFrom("audit_log").selectAll().where("link", ">", link).orderBy("link").limit(rowsPerRead).execute();
    for (const row of rows) {
      const expected = chained(hash, link + 1, row.contentHash ?? "");
      if ((Number(row.link) !== link + 1 || row.hash !== expected) && check.broken.length < maxListedBreaks) check.broken.push(row.number);
      if (row.salt === null) check.blanked++;
      else if (contentHash(row.salt, row) !== row.contentHash && check.changed.length < maxListedBreaks) check.changed.push(row.number);
      [link, hash] = [Number(row.link), row.hash ?? ""];
    }
    check.entries += rows.length;
    if (rows.length > 0) check.head = hash;
    if (rows.length < rowsPerRead) return check;
    await setImmediate();
  }
}

export function auditCheckText({ entries, older, blanked, changed, broken, head }: AuditCheck): string {
  const asides = [older > 0 && `${older} older than the hash chain`, blanked > 0 && `${blanked} emptied with a deleted account`];
  const notes = asides.filter(Boolean).join(", ");
  const all = `${entries} entries${notes ? ` (${notes})` : ""}`;
  if (changed.length === 0 && broken.length === 0) return `The audit log is intact: ${all}. Its last hash is ${head ?? "none"}.`;
  const breaks = [
    changed.length > 0 && `changed: ${changed.join(", ")}`,
    broken.length > 0 && `missing or out of order before: ${broken.join(", ")}`,
  ];
  return `The audit log was CHANGED. ${all}; ${breaks.filter(Boolean).join("; ")}.`;
}
