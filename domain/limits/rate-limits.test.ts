import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { enforceRateLimit, networkOf, refundRateLimit, wideNetworkOf } from "./rate-limits.server.ts";

const limit = { max: 3, minutes: 15 };
const minute = 60_000;

describe("attempts", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const attempt = (kind: string) => enforceRateLimit(world.site, { kind }, limit);

  test("are allowed up to the limit, then rejected with the time to wait", async () => {
    for (let i = 0; i < limit.max; i++) await attempt("door");
    await expect(attempt("door")).rejects.toMatchObject({
      code: "too-many",
      message: "Too many attempts. Please try again in 15 minutes.",
    });
  });

  test("the waiting time counts down", async () => {
    for (let i = 0; i < limit.max; i++) await attempt("countdown");
    world.clock.advance(14 * minute + 1);
    await expect(attempt("countdown")).rejects.toThrow("Please try again in a minute.");
  });

  test("that were rejected don't extend the window", async () => {
    for (let i = 0; i < limit.max; i++) await attempt("window");
    world.clock.advance(10 * minute);
    await expect(attempt("window")).rejects.toThrow();
    world.clock.advance(5 * minute);
    await attempt("window");
  });

  test("are counted per key", async () => {
    for (let i = 0; i < limit.max; i++) await attempt("here");
    await expect(attempt("there")).resolves.toBeUndefined();
  });

  test("are all counted when concurrent", async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => attempt("crowd")));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(limit.max);
  });

  test("that were refunded don't count", async () => {
    for (let i = 0; i < 10; i++) {
      await attempt("forgiven");
      await refundRateLimit(world.site, [{ kind: "forgiven" }]);
    }
    await expect(attempt("forgiven")).resolves.toBeUndefined();
    await expect(refundRateLimit(world.site, [{ kind: "nobody tried this" }])).resolves.toBeUndefined();
  });

  test("expired windows are removed", async () => {
    await attempt("old");
    world.clock.advance(60 * minute);
    await attempt("new");
    const rows = await world.site.db.selectFrom("attempts").select("kind").execute();
    expect(rows).toEqual([{ kind: "new" }]);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

test.each([
  ["192.0.2.7", undefined, undefined],
  ["::ffff:192.0.2.7", undefined, undefined],
  ["2001:db8:1:12ab:3:4:5:6", "2001:db8:1:1200::/56", "2001:db8:1::/48"],
  ["2001:db8:1:ab::9", "2001:db8:1:0::/56", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/56", "2001:db8:0::/48"],
  ["unknown", undefined, undefined],
])("%s is on the line %s, of %s", (address, line, organization) => {
  expect([wideNetworkOf(address), wideNetworkOf(address, 48)]).toEqual([line, organization]);
});
