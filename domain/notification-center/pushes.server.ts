import type { NotificationKind } from "../notifications/kinds.ts";
import { quietHoursEnd, readPreferences } from "../notifications/preferences.server.ts";
import { deliverPush, type PushMessage } from "../push/deliver-push.server.ts";
import type { Member, Site } from "../site.ts";
import { describeAsText, entryId, headingOf, targetOf } from "./entry.ts";
import { readEntries } from "./list.server.ts";

const pushesPerBatch = 100;
const maxConcurrent = 10;
/** A notification is searched among this many unread ones of its kind; older ones aren't sent. */
const maxSearched = 30;

type DuePush = Awaited<ReturnType<typeof readDue>>[number];

/** Sends due pushes whose notifications are still unread. Several processes may run it at the same time. @returns the number of pushes sent. */
export async function sendPushes(site: Site): Promise<number> {
  let sent = 0;
  for (;;) {
    const due = await readDue(site);
    const queue = [...due];
    const workers = Array.from({ length: maxConcurrent }, async () => {
      for (let each = queue.shift(); each; each = queue.shift()) if (await send(site, each)) sent++;
    });
    await Promise.all(workers);
    if (due.length < pushesPerBatch) return sent;
  }
}

function readDue({ db, now }: Site) {
  return db
    .selectFrom("pushes as w")
    .innerJoin("push_devices as d", "d.number", "w.device")
    .innerJoin("sessions as s", "s.id", "d.sessionId")
    .select(["w.number", "w.device", "w.kind", "w.key", "w.dueAt", "w.expiresAt", "w.tries"])
    .select(["d.userId", "d.endpoint", "d.publicKey", "d.secret", "d.failures", "s.expiresAt as sessionEndsAt"])
    .where("w.dueAt", "<=", now())
    .orderBy("w.dueAt")
    .limit(pushesPerBatch)
    .execute();
}

async function send(site: Site, due: DuePush): Promise<boolean> {
  const now = site.now();
  const quiet = await quietHoursEnd(site, due.userId);
  if (quiet !== undefined && quiet < due.expiresAt) {
    if (await claimPush(site, due)) await requeue(site, due, { dueAt: quiet, tries: Number(due.tries) });
    return false;
  }
  const isOver = quiet !== undefined || due.expiresAt <= now || new Date(due.sessionEndsAt).getTime() <= now;
  const message = isOver ? undefined : await compose(site, due);
  if (!(await claimPush(site, due)) || !message) return false;
  const { later } = await deliverPush(
    site,
    { ...due, device: Number(due.device), failures: Number(due.failures) },
    message,
    Number(due.tries),
  );
  if (later === undefined) return true;
  await requeue(site, due, { dueAt: now + later, tries: Number(due.tries) + 1 });
  return false;
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

/** The notification's present text; undefined if it was read or undone, or the member turned its kind off. */
async function compose(site: Site, { userId, kind, key }: DuePush): Promise<PushMessage | undefined> {
  const preferences: Partial<Record<string, { push: boolean }>> = await readPreferences(site, userId);
  if (preferences[kind]?.push === false) return undefined;
  const kinds = [kind as NotificationKind];
  const { entries } = await readEntries(site, { id: userId } as Member, { kinds, onlyUnread: true, limit: maxSearched });
  const entry = entries.find(({ id }) => id === entryId(kind as NotificationKind, key));
  return entry && { title: headingOf(entry) ?? describeAsText(entry), tag: entry.id, url: targetOf(entry) ?? "/notifications" };
}
