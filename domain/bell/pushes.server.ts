import type { NotificationKind } from "../notifications/kinds.ts";
import { quietHoursEnd, readPreferences } from "../notifications/preferences.server.ts";
import { deliverPush, type PushMessage } from "../push/deliver-push.server.ts";
import type { Member, Site } from "../site.ts";
import { describeAsText, entryId, headingOf, targetOf } from "./entry.ts";
import { readEntries } from "./list.server.ts";

const pushesPerBatch = 100;
const maxAtOnce = 10;
/** Among how many unread ones of its kind a notification is looked for: what is older isn’t news. */
const unreadLooked = 30;

type DuePush = Awaited<ReturnType<typeof readDue>>[number];

/** Shows on members' devices what is due and still unread. Any number of processes may do this at the same time. @returns how many went out. */
export async function sendPushes(site: Site): Promise<number> {
  let sent = 0;
  for (;;) {
    const due = await readDue(site);
    const waiting = [...due];
    const lanes = Array.from({ length: maxAtOnce }, async () => {
      for (let each = waiting.shift(); each; each = waiting.shift()) if (await send(site, each)) sent++;
    });
    await Promise.all(lanes);
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
    if (await claimPush(site, due)) await putBack(site, due, { dueAt: quiet, tries: Number(due.tries) });
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
  await putBack(site, due, { dueAt: now + later, tries: Number(due.tries) + 1 });
  return false;
}

/** Whoever takes the row away sends it. */
async function claimPush({ db }: Site, { number }: DuePush): Promise<boolean> {
  return (await db.deleteFrom("pushes").where("number", "=", number).executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** Unless the device is gone, or the same has become due once more. */
async function putBack(
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

/** As the list of notifications shows it now; undefined for what was read or taken back, and for what the member doesn't want. */
async function compose(site: Site, { userId, kind, key }: DuePush): Promise<PushMessage | undefined> {
  const preferences: Partial<Record<string, { push: boolean }>> = await readPreferences(site, userId);
  if (preferences[kind]?.push === false) return undefined;
  const kinds = [kind as NotificationKind];
  const { entries } = await readEntries(site, { id: userId } as Member, { kinds, onlyUnread: true, limit: unreadLooked });
  const entry = entries.find(({ id }) => id === entryId(kind as NotificationKind, key));
  return entry && { title: headingOf(entry) ?? describeAsText(entry), tag: entry.id, url: targetOf(entry) ?? "/notifications" };
}
