import { cutPage, readCursor } from "#platform/database/keyset.ts";
import { days } from "#platform/time.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type ErrorList, errorLimits, errorTexts, type TrackedError } from "./tracked-error.ts";

const retentionMs = days(30);
/** Per source, so that browsers can't push out the server's errors. */
const maxRows = 200;

export type ErrorOccurrence = Pick<TrackedError, "source" | "message" | "stack" | "route" | "requestId"> & { count?: number };

/** Groups errors by fingerprint and reopens dismissed ones. Removes the oldest beyond the limit. */
export async function recordError(site: Site, given: ErrorOccurrence): Promise<void> {
  const message = redactText(given.message.slice(0, 2 * errorLimits.message));
  const stack = redactText(given.stack.slice(0, 2 * errorLimits.stack).replaceAll(/\?[^\s):]*/g, ""));
  const occurrence = { ...given, message: message.slice(0, errorLimits.message), stack: stack.slice(0, errorLimits.stack) };
  const { source, route, requestId, count = 1 } = occurrence;
  const [fingerprint, now] = [fingerprintOf(occurrence), site.now()];
  const last = { message: occurrence.message, stack: occurrence.stack, route, requestId, lastAt: now, dismissedAt: null };
  await transaction(site, async (tx) => {
    await tx.db
      .insertInto("faults")
      .values({ fingerprint, source, ...last, count, firstAt: now })
      .onConflict((conflict) =>
        conflict.column("fingerprint").doUpdateSet((eb) => ({ ...last, count: eb("faults.count", "+", eb.val(count)) })),
      )
      .execute();
    await removeOldest(tx, source);
  });
}

async function removeOldest(tx: SiteTransaction, source: TrackedError["source"]): Promise<void> {
  const beyond = tx.db
    .selectFrom("faults")
    .select("fingerprint")
    .where("source", "=", source)
    .orderBy("lastAt", "desc")
    .orderBy("fingerprint")
    .offset(maxRows);
  // SQLite accepts an offset only with a limit.
  await tx.db.deleteFrom("faults").where("fingerprint", "in", beyond.limit(maxRows)).execute();
}

/** Removes email addresses, and NUL, which PostgreSQL rejects. */
function redactText(text: string): string {
  return text.replaceAll("\0", "").replaceAll(/[^\s@"'<>()]+@[^\s@"'<>():/]+\.[a-z]{2,}/gi, "…@…");
}

type Filter = { list: ErrorList; after?: string | null | undefined; limit: number };

export async function listErrors(
  site: Site,
  viewer: Viewer,
  { list, after, limit }: Filter,
): Promise<{ errors: TrackedError[]; next: string | null }> {
  requirePermission(viewer, "see errors");
  let query = site.db
    .selectFrom("faults")
    .selectAll()
    .where("dismissedAt", list === "open" ? "is" : "is not", null)
    .orderBy("lastAt", "desc")
    .orderBy("fingerprint")
    .limit(limit + 1);
  const from = readCursor(after, ["number", "text"]);
  if (from)
    query = query.where((eb) => eb.or([eb("lastAt", "<", from[0]), eb.and([eb("lastAt", "=", from[0]), eb("fingerprint", ">", from[1])])]));
  const { rows, next } = cutPage(await query.execute(), limit, ({ lastAt, fingerprint }) => [lastAt, fingerprint]);
  return { errors: rows, next };
}

/** It reopens when it happens again. @throws NotFound. */
export async function dismissError(site: Site, viewer: Viewer, fingerprint: string): Promise<void> {
  requirePermission(viewer, "see errors");
  await transaction(site, async (tx) => {
    const dismissed = await tx.db
      .updateTable("faults")
      .set({ dismissedAt: tx.now() })
      .where("fingerprint", "=", fingerprint)
      .where("dismissedAt", "is", null)
      .returning("message")
      .executeTakeFirst();
    if (!dismissed) throw new NotFound(errorTexts.gone);
    await recordAudit(tx, viewer, { action: "error.dismissed", subject: `error:${fingerprint}`, after: dismissed });
  });
}

export async function sweepErrors({ db, now }: Site): Promise<void> {
  await db
    .deleteFrom("faults")
    .where("lastAt", "<=", now() - retentionMs)
    .execute();
}
