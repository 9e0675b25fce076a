import type { NotificationKind } from "../notifications/kinds.ts";
import { quietHoursEnd, readPreferences } from "../notifications/preferences.server.ts";
import { deliverPush, type PushMessage } from "../push/deliver-push.server.ts";
import type { Member, Site } from "../site.ts";
import { describeAsText, entryId, headingOf, targetOf } from "./entry.ts";
import { readEntries } from "./list.server.ts";

const pushesPerBatch = 100;
const maxMembers = 100;
/** A notification is searched among this many unread ones of its kind; older ones aren't sent. */
const maxSearched = 30;

type DuePush = Awaited<ReturnType<typeof readDue>>[number];

/**
 * Sends due pushes whose notifications are still unread, one at a time for each member, so that a silent push service delays only its own
 * members. Several processes may run it at the same time, and one process several times. @param whenRead - when it waits only for sending.
 * @returns the number of pushes sent.
 */
export async function sendPushes(site: Site, whenRead = () => {}): Promise<number> {
  let sent = 0;
  for (let hasMore = true; hasMore; ) {
    const sending: Promise<number>[] = [];
    while (hasMore && site.memory.sendingPushesTo.size < maxMembers) {
      const due = await readDue(site);
      hasMore = due.length === pushesPerBatch;
      for (const [userId, own] of Map.groupBy(due, (each) => each.userId)) sending.push(sendToMember(site, userId, own));
    }
    whenRead();
    if (sending.length === 0) break;
    for (const count of await Promise.all(sending)) sent += count;
  }
  return sent;
}

function readDue({ db, now, memory }: Site) {
  const others = [...memory.sendingPushesTo];
  return db
    .selectFrom("pushes as w")
    .innerJoin("push_devices as d", "d.number", "w.device")
    .innerJoin("sessions as s", "s.id", "d.sessionId")
    .select(["w.number", "w.device", "w.kind", "w.key", "w.dueAt", "w.expiresAt", "w.tries"])
    .select(["d.userId", "d.endpoint", "d.publicKey", "d.secret", "d.failures", "s.expiresAt as sessionEndsAt"])
    .where("w.dueAt", "<=", now())
    .$if(others.length > 0, (query) => query.where("d.userId", "not in", others))
    .orderBy("w.dueAt")
    .limit(pushesPerBatch)
    .execute();
}

async function sendToMember(site: Site, userId: string, pushes: DuePush[]): Promise<number> {
  const { sendingPushesTo, pushQueue } = site.memory;
  if (sendingPushesTo.has(userId)) return 0;
  sendingPushesTo.add(userId);
  const unreachable = new Set<number>();
  let sent = 0;
  try {
    for (const push of pushes) {
      if (unreachable.has(push.device)) continue;
      const result = await pushQueue.run(userId, () => send(site, push));
      if (result === "sent") sent++;
      if (result === "put off") unreachable.add(push.device);
    }
  } catch (err) {
    site.log.error({ err, userId }, "a member's pushes could not be sent");
  } finally {
    sendingPushesTo.delete(userId);
  }
  return sent;
}

/** `put off`: like all other pushes of the device. */
type Result = "sent" | "not sent" | "put off";

async function send(site: Site, due: DuePush): Promise<Result> {
  const now = site.now();
  const quiet = await quietHoursEnd(site, due.userId);
  if (quiet !== undefined && quiet < due.expiresAt) {
    if (await claimPush(site, due)) await requeue(site, due, { dueAt: quiet, tries: Number(due.tries) });
    return "not sent";
  }
  const isOver = quiet !== undefined || due.expiresAt <= now || new Date(due.sessionEndsAt).getTime() <= now;
  const message = isOver ? undefined : await compose(site, due);
  if (!(await claimPush(site, due)) || !message) return "not sent";
  const { pauseMs, isLast } = await deliverPush(
    site,
    { ...due, device: Number(due.device), failures: Number(due.failures) },
    message,
    Number(due.tries),
  );
  if (pauseMs === undefined) return "sent";
  const dueAt = now + pauseMs;
  if (!isLast) await requeue(site, due, { dueAt, tries: Number(due.tries) + 1 });
  await site.db.updateTable("pushes").set({ dueAt }).where("device", "=", due.device).where("dueAt", "<", dueAt).execute();
  return "put off";
}

/** Deletes the row: the process that succeeds sends the push. */
async function claimPush({ db }: Site, { number }: DuePush): Promise<boolean> {
  return (await db.deleteFrom("pushes").where("number", "=", number).executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** Does nothing if the device is gone or the notification was queued again meanwhile. */
async function requeue(
  { db }: Site,
  { device, kind, key, expiresAt }: DuePush,
  { dueAt, tries }: { dueAt: number; tries: number },
): Promise<void> {
  await db
    .insertInto("pushes")
    .columns(["device", "kind", "key", "dueAt", "expiresAt", "tries"])
    .expression((eb) =>
      eb
        .selectFrom("push_devices")
        .select(({ val }) => [
          "number",
          val(kind).as("kind"),
          val(key).as("key"),
          eb.lit(dueAt).as("dueAt"),
          eb.lit(Number(expiresAt)).as("expiresAt"),
          eb.lit(tries).as("tries"),
        ])
        .where("number", "=", device),
    )
    .onConflict((conflict) => conflict.columns(["device", "kind", "key"]).doNothing())
    .execute();
}

/** The notification's current text; undefined if it was read or undone, or the member turned its kind off. */
async function compose(site: Site, { userId, kind, key }: DuePush): Promise<PushMessage | undefined> {
  const preferences: Partial<Record<string, { push: boolean }>> = await readPreferences(site, userId);
  if (preferences[kind]?.push === false) return undefined;
  const kinds = [kind as NotificationKind];
  const { entries } = await readEntries(site, { id: userId } as Member, { kinds, onlyUnread: true, limit: maxSearched });
  const entry = entries.find(({ id }) => id === entryId(kind as NotificationKind, key));
  return entry && { title: headingOf(entry) ?? describeAsText(entry), tag: entry.id, url: targetOf(entry) ?? "/notifications" };
}
