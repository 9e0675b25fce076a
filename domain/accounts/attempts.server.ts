import { TooMany } from "../refusals.ts";
import type { Site } from "../site.ts";

export type AttemptLimit = { max: number; minutes: number };

const minute = 60_000;
const sweepEvery = 10 * minute;
const nextSweep = new WeakMap<Site["db"], number>();

/**
 * Counts one attempt under `key`. The first one opens a window of so many minutes; a single statement counts, so that
 * attempts made at the same moment are all seen.
 * @throws TooMany once the window holds more than `max`, saying when it ends.
 */
export async function limitAttempts(site: Site, key: string, { max, minutes }: AttemptLimit): Promise<void> {
  const now = site.now();
  const { count, endsAt } = await site.db
    .insertInto("attempts")
    .values({ key, count: 1, endsAt: now + minutes * minute })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => {
        const over = eb("attempts.endsAt", "<=", now);
        return {
          count: eb
            .case()
            .when(over)
            .then(eb.lit(1))
            .else(eb("attempts.count", "+", eb.lit(1)))
            .end(),
          endsAt: eb.case().when(over).then(eb.ref("excluded.endsAt")).else(eb.ref("attempts.endsAt")).end(),
        };
      }),
    )
    .returning(["count", "endsAt"])
    .executeTakeFirstOrThrow();
  await sweepNowAndThen(site, now);
  if (count > max) throw new TooMany(`Too many attempts. Please try again ${inMinutes(endsAt - now)}.`);
}

/** Takes one attempt back: it turned out not to count, as a sign-in that succeeds. */
export async function forgiveAttempt(site: Site, key: string): Promise<void> {
  await site.db
    .updateTable("attempts")
    .set((eb) => ({ count: eb("count", "-", eb.lit(1)) }))
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
}

function inMinutes(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / minute));
  return minutes === 1 ? "in a minute" : `in ${minutes} minutes`;
}

/** Windows that are over say nothing any more; they are removed at most every ten minutes. */
async function sweepNowAndThen(site: Site, now: number): Promise<void> {
  if (now < (nextSweep.get(site.db) ?? 0)) return;
  nextSweep.set(site.db, now + sweepEvery);
  await site.db.deleteFrom("attempts").where("endsAt", "<=", now).execute();
}

/**
 * Whom to count attempts against: the address itself or, for IPv6, the /64 network that a single customer is given and
 * could count through.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail?.split(":").filter(Boolean) ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  const groups = [...front, ...(tail === undefined ? [] : zeros), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
