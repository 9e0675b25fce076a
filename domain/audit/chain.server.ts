import { createHash, createHmac, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import { countRows } from "#platform/database/count-rows.ts";
import type { AuditRow } from "#platform/database/rows/audit-rows.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";

/**
 * What an entry says, bound by its own random `salt`: once someone's account is deleted and the salt forgotten, nobody can find
 * out by trying what was there.
 */
export type AuditContent = Pick<
  Selectable<AuditRow>,
  "userId" | "userName" | "action" | "subject" | "before" | "after" | "actionId" | "network" | "createdAt"
>;

/** Hex. */
export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** Hex. */
export function contentHash(salt: string, content: AuditContent): string {
  const { userId, userName, action, subject, before, after, actionId, network, createdAt } = content;
  const serialized = JSON.stringify([userId, userName, action, subject, before, after, actionId, network, Number(createdAt)]);
  return createHmac("sha256", salt).update(serialized).digest("hex");
}

const beginning = "0".repeat(64);

function chained(before: string, link: number, content: string): string {
  return createHash("sha256").update(`${before}\n${link}\n${content}`).digest("hex");
}

/** Any number that nothing else locks by. */
const chainLock = 7_281_001;

/**
 * Makes an entry the chain's next link. To be the last thing that a transaction does: on PostgreSQL it waits for anyone who else adds
 * one, and holds up everybody who comes after, until the commit.
 */
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

/** What checking the chain has found; entries by their numbers, at most `listed` of a kind. */
export type AuditCheck = {
  entries: number;
  older: number;
  /** Emptied because an account was deleted. */
  blanked: number;
  changed: number[];
  broken: number[];
  /** The last link's hash: noted elsewhere, it shows later whether the end was cut off. */
  head: string | null;
};

const rowsPerRead = 1_000;
const maxListedFaults = 50;

/** Checks the whole audit log. A viewer of null is the console. */
export async function verifyAudit(site: Site, viewer: Viewer): Promise<AuditCheck> {
  if (viewer) mustBeAllowed(viewer, "see the audit log");
  const older = await countRows(site.db.selectFrom("audit_log").where("link", "is", null));
  const check: AuditCheck = { entries: older, older, blanked: 0, changed: [], broken: [], head: null };
  let [link, hash] = [0, beginning];
  for (;;) {
    const rows = await site.db.selectFrom("audit_log").selectAll().where("link", ">", link).orderBy("link").limit(rowsPerRead).execute();
    for (const row of rows) {
      const expected = chained(hash, link + 1, row.contentHash ?? "");
      if ((Number(row.link) !== link + 1 || row.hash !== expected) && check.broken.length < maxListedFaults) check.broken.push(row.number);
      if (row.salt === null) check.blanked++;
      else if (contentHash(row.salt, row) !== row.contentHash && check.changed.length < maxListedFaults) check.changed.push(row.number);
      [link, hash] = [Number(row.link), row.hash ?? ""];
    }
    check.entries += rows.length;
    if (rows.length > 0) check.head = hash;
    if (rows.length < rowsPerRead) return check;
    await setImmediate();
  }
}

export function checkText({ entries, older, blanked, changed, broken, head }: AuditCheck): string {
  const asides = [older > 0 && `${older} older than the hash chain`, blanked > 0 && `${blanked} emptied with a deleted account`];
  const said = asides.filter(Boolean).join(", ");
  const all = `${entries} entries${said ? ` (${said})` : ""}`;
  if (changed.length === 0 && broken.length === 0) return `The audit log is intact: ${all}. Its last hash is ${head ?? "none"}.`;
  const faults = [
    changed.length > 0 && `changed: ${changed.join(", ")}`,
    broken.length > 0 && `missing or out of order before: ${broken.join(", ")}`,
  ];
  return `The audit log was CHANGED. ${all}; ${faults.filter(Boolean).join("; ")}.`;
}
