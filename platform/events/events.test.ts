import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { transaction } from "#domain/site.ts";
import { createLog } from "#platform/log.ts";
import { publish as publishEvents } from "../../tests/support/publish.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { EventLog, type LoggedEvent, Pump } from "./event-log.ts";
import { gap } from "./events.ts";

const engine = inject("engine");
const day = 24 * 60 * 60_000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const publish = (...types: string[]) => publishEvents(world.site, ...types.map((type) => ({ topic: "posts", type })));

function listen(topic = "posts"): LoggedEvent[] {
  const received: LoggedEvent[] = [];
  world.site.events.subscribe(topic, (event) => received.push(event));
  return received;
}

const types = (events: LoggedEvent[] | typeof gap) => (events === gap ? gap : events.map(({ type }) => type));

describe("a committed event", () => {
  test("is delivered once, in the order of the log", async () => {
    const received = listen();
    const written = Array.from({ length: 60 }, (_, i) => [`${i}a`, `${i}b`]);
    await Promise.all(written.map((pair) => publish(...pair)));
    await expect.poll(() => received.length).toBe(120);
    await publish("last");
    await expect.poll(() => received.at(-1)?.type).toBe("last");
    expect(types(received).toString().split(",").toSorted()).toEqual([...written.flat(), "last"].toSorted());
    const { events } = await new EventLog(world.site.db, engine).read(received[0]?.cursor ?? "", { limit: 500 });
    expect(events).toEqual(received.slice(1));
    for (const [first, second] of written) expect(types(received).indexOf(second ?? "")).toBe(types(received).indexOf(first ?? "") + 1);
  });

  test("has its data, and is delivered on its topic only", async () => {
    const [posts, other] = [listen(), listen("post:a")];
    const data = { id: "é\u{1f319}", likes: 3, on: true, none: null };
    await publishEvents(world.site, { topic: "post:a", type: "changed", data }, { topic: "posts", type: "changed" });
    await expect.poll(() => posts.length).toBe(1);
    expect(other).toMatchObject([{ topic: "post:a", type: "changed", data: { id: "é\u{1f319}", likes: 3, on: true, none: null } }]);
    expect(posts).toMatchObject([{ topic: "posts", data: {} }]);
  });

  test("is not delivered if the transaction fails", async () => {
    const received = listen();
    const failing = transaction(world.site, async (tx) => {
      tx.changed("post.published", { id: "never", userId: "nobody", userName: "Nobody" });
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await publish("after");
    await expect.poll(() => types(received)).toEqual(["after"]);
  });

  test("reaches the others if one listener fails, and none that unsubscribed", async () => {
    world.site.events.subscribe("posts", () => {
      throw new Error("broken");
    });
    const gone = listen();
    const leave = world.site.events.subscribe("posts", (event) => gone.push(event));
    const received = listen();
    leave();
    leave();
    await publish("one");
    await expect.poll(() => types(received)).toEqual(["one"]);
    expect(types(gone)).toEqual(["one"]);
  });
});

describe("a cursor", () => {
  test("reads on from its position, by topic", async () => {
    const start = world.site.events.latest();
    const received = listen();
    await publish("one", "two");
    await publishEvents(world.site, { topic: "post:a", type: "three" });
    await publish("four");
    await expect.poll(() => types(received)).toEqual(["one", "two", "four"]);
    const readOn = async (cursor: string, ...topics: string[]) => types(await world.site.events.readAfter(cursor, topics));
    await expect.poll(() => readOn(start, "posts", "post:a")).toEqual(["one", "two", "three", "four"]);
    expect(await readOn(start, "post:a")).toEqual(["three"]);
    expect(await readOn(received[0]?.cursor ?? "", "posts")).toEqual(["two", "four"]);
    expect(await readOn(world.site.events.latest(), "posts", "post:a")).toEqual([]);
  });

  test("is comparable", async () => {
    const received = listen();
    await publish("one", "two");
    await expect.poll(() => received.length).toBe(2);
    const [one, two] = received.map(({ cursor }) => cursor) as [string, string];
    const { isAfter } = world.site.events;
    expect([isAfter(two, one), isAfter(one, two), isAfter(one, one), isAfter("nonsense", one)]).toEqual([true, false, false, false]);
  });

  test.each(["", "nonsense", "-1", "1-2-3", "99999999999999999999999", "999999999999999", "999999999999-1", "1; drop table events"])(
    "that is invalid (%j) gives a gap",
    async (cursor) => {
      expect(await world.site.events.readAfter(cursor, ["posts"])).toBe(gap);
    },
  );

  test("gives a gap once later events are removed", async () => {
    const log = new EventLog(world.site.db, engine);
    const start = world.site.events.latest();
    const received = listen();
    await publish("old", "older");
    world.clock.advance(day);
    await publish("new");
    await expect.poll(() => received.length).toBe(3);
    await log.removeBefore(world.site.now() - 2 * day);
    expect(types(await world.site.events.readAfter(start, ["posts"]))).toEqual(["old", "older", "new"]);
    await log.removeBefore(world.site.now() - day / 2);
    expect(await world.site.events.readAfter(start, ["posts"])).toBe(gap);
    expect(await world.site.events.readAfter(received[0]?.cursor ?? "", ["posts"])).toBe(gap);
    expect(types(await world.site.events.readAfter(received[1]?.cursor ?? "", ["posts"]))).toEqual(["new"]);
  });

  test("stays valid when all events are old", async () => {
    const first = listen();
    await publish("one");
    await expect.poll(() => types(first)).toEqual(["one"]);
    world.clock.advance(day);
    await new EventLog(world.site.db, engine).removeBefore(world.site.now());
    const received = listen();
    await publish("two");
    await expect.poll(() => types(received)).toEqual(["two"]);
    expect(await world.site.events.readAfter(received[0]?.cursor ?? "", ["posts"])).toEqual([]);
  });
});

describe("a pump", () => {
  const start = async (log: EventLog) => {
    const received: LoggedEvent[] = [];
    let skips = 0;
    const to = {
      deliver: (events: LoggedEvent[]) => void received.push(...events),
      skipped: () => void skips++,
      report: createLog("silent"),
    };
    const pump = new Pump(log, await log.end(), to);
    return { pump, received, skips: () => skips };
  };

  class Failing extends EventLog {
    fails = 0;
    reads = 0;
    override read(...args: Parameters<EventLog["read"]>) {
      this.reads++;
      return this.fails-- > 0 ? Promise.reject(new Error("the connection was lost")) : super.read(...args);
    }
  }

  test("continues from its cursor after failed reads", async () => {
    const log = new Failing(world.site.db, engine);
    const { pump, received, skips } = await start(log);
    log.fails = 3;
    await publish("one", "two");
    pump.wake();
    await expect.poll(() => types(received)).toEqual(["one", "two"]);
    expect(log.reads).toBeGreaterThan(3);
    expect(skips()).toBe(0);
    await pump.close();
  });

  test("reports a gap after events were removed, and continues", async () => {
    const log = new Failing(world.site.db, engine);
    const { pump, received, skips } = await start(log);
    log.fails = 1;
    await publish("one", "two");
    world.clock.advance(day);
    await log.removeBefore(world.site.now());
    pump.wake();
    await expect.poll(skips).toBe(1);
    await publish("three");
    pump.wake();
    await expect.poll(() => received.at(-1)?.type).toBe("three");
    expect(types(received)).not.toContain("one");
    await pump.close();
  });

  test("reads once for concurrent commits", async () => {
    const log = new Failing(world.site.db, engine);
    const { pump, received } = await start(log);
    await Promise.all(Array.from({ length: 50 }, (_, i) => publish(String(i))));
    for (let i = 0; i < 50; i++) {
      pump.wake();
      await new Promise(setImmediate);
    }
    await expect.poll(() => received.length).toBe(50);
    expect(log.reads).toBeLessThan(40);
    await pump.close();
  });
});

test("numbers are never reused, so cursors stay valid", async () => {
  await publish("one");
  const before = await world.site.db
    .selectFrom("events")
    .select((eb) => eb.fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  await world.site.db.deleteFrom("events").execute();
  await publish("two");
  const { number } = await world.site.db.selectFrom("events").select("number").executeTakeFirstOrThrow();
  expect(number).toBe(before.last + 1);
});
