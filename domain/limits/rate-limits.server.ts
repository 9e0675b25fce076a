import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { TooMany } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import { countRows } from "#platform/database/count-rows.ts";
import { minutes } from "#platform/time.ts";

export type RateLimit = { max: number; minutes: number };

export type RateLimitKey = { kind: string; subject?: string; network?: string };

const sweepIntervalMs = minutes(10);
const maxRows = 200_000;

export type RateLimitCount = { count: number; endsAt: number };

/** The first attempt opens a window. A single statement, so that concurrent attempts are all counted. */
export async function countTowardsLimit(site: Site, key: RateLimitKey, windowMinutes: number): Promise<RateLimitCount> {
  const now = site.now();
  const counted = await site.db
    .insertInto("attempts")
    .values({ ...columnsOf(site, key), count: 1, endsAt: now + minutes(windowMinutes) })
    .onConflict((conflict) =>
      conflict.columns(["kind", "subject", "network"]).doUpdateSet((eb) => {
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
  await sweepOccasionally(site, now);
  return counted;
}

/** @throws TooMany after `max` attempts in the window. */
export async function enforceRateLimit(
  site: Site,
  key: RateLimitKey,
  { max, minutes }: RateLimit,
  what = "Too many attempts",
): Promise<void> {
  const { count, endsAt } = await countTowardsLimit(site, key, minutes);
  const left = endsAt - site.now();
  if (count > max) throw new TooMany(`${what}. Please try again ${inMinutes(left)}.`, Math.max(1, Math.ceil(left / 1000)));
}

export async function isWithinLimit(site: Site, key: RateLimitKey, { max, minutes }: RateLimit): Promise<boolean> {
  return (await countTowardsLimit(site, key, minutes)).count <= max;
}

export async function refundRateLimit(site: Site, keys: RateLimitKey[], which: "one" | "all of them" = "one"): Promise<void> {
  await site.db
    .updateTable("attempts")
    .set((eb) => ({ count: which === "one" ? eb("count", "-", eb.lit(1)) : eb.lit(0) }))
    .where((eb) => eb.or(keys.map((key) => eb.and(columnsOf(site, key)))))
    .where("count", ">", 0)
    .execute();
}

/** The subject is stored as an HMAC: no personal data, and deleting an account resets no limit. */
function columnsOf({ secret }: Pick<Site, "secret">, { kind, subject, network = "" }: RateLimitKey) {
  if (subject === undefined) return { kind, subject: "", network };
  return { kind, subject: createHmac("sha256", secret).update(`attempts:${subject}`).digest("base64url").slice(0, 27), network };
}

function inMinutes(milliseconds: number): string {
  const left = Math.max(1, Math.ceil(milliseconds / minutes(1)));
  return left === 1 ? "in a minute" : `in ${left} minutes`;
}

async function sweepOccasionally(site: Site, now: number): Promise<void> {
  if (now < site.memory.nextRateLimitSweep) return;
  site.memory.nextRateLimitSweep = now + sweepIntervalMs;
  await site.db.deleteFrom("attempts").where("endsAt", "<=", now).execute();
  const rows = await countRows(site.db.selectFrom("attempts"));
  if (rows > maxRows) await dropLeastCounted(site, rows - maxRows);
}

async function dropLeastCounted(site: Site, rows: number): Promise<void> {
  await sql`delete from attempts where (kind, subject, network) in (
    select kind, subject, network from attempts order by count, "endsAt" limit ${rows})`.execute(site.db);
}

/** The address or, for IPv6, the /64 network that one customer controls. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
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

/** The /56 that one IPv6 line often has, or the /48 of an organization; undefined for other addresses. */
export function wideNetworkOf(ip: string, bits: 48 | 56 = 56): string | undefined {
  const network = networkOf(ip);
  if (!network.includes(":")) return undefined;
  const [first, second, third, fourth = "0"] = network.split(":");
  if (bits === 48) return `${first}:${second}:${third}::/48`;
  return `${first}:${second}:${third}:${(Number.parseInt(fourth, 16) & 0xff00).toString(16)}::/56`;
}

/** `192.0.2.0/24` or `2001:db8:1::/48`, for logs; undefined for an unknown address. */
export function truncateNetwork(ip: string): string | undefined {
  const network = networkOf(ip);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(network)) return network.replace(/\d+$/, "0/24");
  return network.includes(":") ? `${network.split(":").slice(0, 3).join(":")}::/48` : undefined;
}
