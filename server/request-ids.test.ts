import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../tests/support/pages.ts";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, type World } from "../tests/support/world.ts";
import { requestIds } from "./request-ids.ts";

const from = (address: string, id?: string) =>
  ({ headers: id === undefined ? {} : { "x-request-id": id }, socket: { remoteAddress: address } }) as never;

describe("a request's id", () => {
  const idOf = requestIds(["10.1.0.0/16"]);

  test("is new for each request", () => {
    const ids = Array.from({ length: 1_000 }, () => idOf(from("203.0.113.9")));
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}$/);
  });

  test.each(["10.1.2.3", "127.0.0.1", "::ffff:10.1.2.3"])("is the proxy's, from %s", (address) => {
    expect(idOf(from(address, "proxy-0001"))).toBe("proxy-0001");
  });

  test("is not taken from other clients", () => {
    expect(idOf(from("203.0.113.9", "proxy-0001"))).not.toBe("proxy-0001");
  });

  test.each(["", "short", "a b c d e f", 'x"},{"level":60', "x".repeat(65)])("is not taken if malformed: %j", (given) => {
    expect(idOf(from("127.0.0.1", given))).not.toBe(given);
  });
});

describe("every response has the id of its request", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test.each(["/", "/healthz", "/post/none", "/v1/ping", "/v1/none", "/feed.xml", "/files/none"])("%s", async (path) => {
    const web = openWeb(world);
    const [first, second] = [await web.request(path), await web.request(path)].map(({ headers }) => headers.get("x-request-id"));
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}$/);
    expect(second).not.toBe(first);
  });

  test.each([true, false])("an error page shows the id, other pages do not; pages are cached: %s", async (cachePages) => {
    const fail = () => {
      throw new Error("a fault");
    };
    const broken = { ...world.site, db: new Proxy(world.site.db, { get: fail }) };
    const answer = await openWeb({ site: broken }, { cachePages }).request("/featured-writers");
    expect(answer.status).toBe(500);
    const id = answer.headers.get("x-request-id");
    expect(textOf((await answer.text()).replaceAll("<!-- -->", ""))).toContain(`If you report this, mention ${id}.`);
    const good = await openWeb(world, { cachePages }).request("/featured-writers");
    expect(await good.text()).not.toContain(good.headers.get("x-request-id"));
  });
});
