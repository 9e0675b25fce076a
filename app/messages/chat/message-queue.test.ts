import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "../../../tests/faults/messenger.ts";
import { MessageQueue, type Outcome, type Outgoing, ownMessageQueue, type QueueStorage } from "./message-queue.ts";

type Deliver = (message: Outgoing) => Promise<Outcome>;
const sent = { sent: { id: "m", number: 1, createdAt: 1 } };
let time = 0;
let failures = 0;
const open = (deliver: Deliver, storage: QueueStorage = memoryStorage(), person = "ada") => {
  const box = new MessageQueue({ person, storage, deliver, now: () => time++, wait: () => Promise.resolve() });
  box.onFailure(() => failures++);
  return box;
};
const fullStorage = (): QueueStorage => ({
  ...memoryStorage(),
  setItem: () => {
    throw new Error("QuotaExceededError");
  },
});
const idle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("the queue", () => {
  test("sends in order, one at a time, and removes acknowledged messages", async () => {
    const storage = memoryStorage();
    const texts: string[] = [];
    const box = open(async ({ text }) => {
      texts.push(text);
      return sent;
    }, storage);
    for (const text of ["one", "two", "three"]) box.add("bert", text);
    expect(box.items).toHaveLength(3);
    await idle();
    expect([texts, box.items, storage.length]).toEqual([["one", "two", "three"], [], 0]);
  });

  test("retries with the same id until there is an answer", async () => {
    const ids: string[] = [];
    const box = open(async ({ sendId }) => {
      ids.push(sendId);
      if (ids.length < 4) throw new Error("offline");
      return sent;
    });
    box.add("bert", "Hello");
    await idle();
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
  });

  test("reports a message once after three tries and keeps retrying", async () => {
    failures = 0;
    let tries = 0;
    let held: (() => void) | undefined;
    const box = open(async () => {
      if (++tries <= 5) throw new Error("offline");
      await new Promise<void>((resolve) => {
        held = resolve;
      });
      return sent;
    });
    const { sendId } = box.add("bert", "one");
    box.add("bert", "two");
    await idle();
    box.reload();
    expect([tries, failures]).toEqual([6, 1]);
    expect(box.items.map(({ text, delayed }) => [text, delayed])).toEqual([
      ["one", true],
      ["two", undefined],
    ]);
    box.retry(sendId);
    expect(box.items.some(({ delayed }) => delayed)).toBe(false);
    held?.();
    await expect.poll(() => box.items.length).toBe(1);
  });

  test("sends waiting messages after a reload", async () => {
    const storage = memoryStorage();
    const never: Deliver = () => new Promise(() => {});
    const before = open(never, storage);
    before.add("bert", "one");
    before.add("bert", "two");
    const texts: string[] = [];
    open(async ({ text }) => {
      texts.push(text);
      return sent;
    }, storage).flush();
    await idle();
    expect([texts, storage.length]).toEqual([["one", "two"], 0]);
  });

  test("keeps a refused message and sends the others", async () => {
    failures = 0;
    let blocked = true;
    const box = open(async ({ text }) =>
      text === "one" && blocked ? { refused: { code: "not-allowed", message: "Messages are turned off" } } : sent,
    );
    const { sendId } = box.add("bert", "one");
    box.add("bert", "two");
    await idle();
    expect(box.items).toMatchObject([{ text: "one", failed: "Messages are turned off" }]);
    expect(failures).toBe(1);
    blocked = false;
    box.retry(sendId);
    await idle();
    expect(box.items).toEqual([]);
  });

  test("retries after temporary refusals", async () => {
    const codes = ["too-many", "unavailable", "maintenance", "failed"] as const;
    let tries = 0;
    const box = open(async () => (tries < 4 ? { refused: { code: codes[tries++] ?? "failed", message: "" } } : sent));
    box.add("bert", "one");
    await idle();
    expect([tries, box.items]).toEqual([4, []]);
  });

  test("retries after an answer without a code, as of the limits and of a failed server", async () => {
    const bodies = [
      '{"message":"That was a lot at once.","error":"That was a lot at once."}',
      '{"message":"Unexpected Server Error"}',
      "{}",
    ];
    const box = open(async () => (bodies.length > 0 ? { refused: JSON.parse(bodies.shift() ?? "") } : sent));
    box.add("bert", "one");
    await idle();
    expect([bodies, box.items]).toEqual([[], []]);
  });

  test("sends to others while those to one partner are put off, and reports them after three tries", async () => {
    failures = 0;
    const tried: string[] = [];
    const deliver: Deliver = async ({ to }) => {
      tried.push(to);
      return to === "new" ? { refused: { code: "too-many", message: "" } } : sent;
    };
    const box = new MessageQueue({ person: "ada", storage: memoryStorage(), deliver, wait: () => new Promise(() => {}) });
    box.onFailure(() => failures++);
    box.add("new", "Hello");
    box.add("new", "I’m Ada");
    for (const text of ["one", "two", "three"]) {
      box.add("bert", text);
      await idle();
    }
    expect(tried).toEqual(["new", "bert", "new", "bert", "new", "bert"]);
    expect(box.items.map(({ text, delayed }) => [text, delayed])).toEqual([
      ["Hello", true],
      ["I’m Ada", undefined],
    ]);
    expect(failures).toBe(1);
  });

  test("stops without a session, keeps the text, and continues after signing in", async () => {
    let signedIn = false;
    const box = open(async () => (signedIn ? sent : { refused: { code: "sign-in-required", message: "" } }));
    box.add("bert", "one");
    await idle();
    expect([box.stopped, box.items.length]).toEqual([true, 1]);
    signedIn = true;
    box.flush();
    await idle();
    expect([box.stopped, box.items]).toEqual([false, []]);
  });

  test("sends nothing more once closed, and keeps the text", async () => {
    const storage = memoryStorage();
    let tries = 0;
    const deliver: Deliver = async () => {
      tries++;
      throw new Error("offline");
    };
    const box = new MessageQueue({ person: "ada", storage, deliver, wait: () => new Promise(() => {}) });
    box.add("bert", "one");
    await idle();
    box.close();
    box.flush();
    await idle();
    expect([tries, storage.length]).toEqual([1, 1]);
  });

  test("is separate for each person and ignores invalid entries", async () => {
    const storage = memoryStorage();
    storage.setItem("inkstead:outbox:ada:1", "{");
    storage.setItem("inkstead:outbox:ada:2", '{"sendId":2}');
    storage.setItem("inkstead:outbox:bert:3", '{"sendId":"3","to":"ada","text":"mine","createdAt":1}');
    expect(open(async () => sent, storage).items).toEqual([]);
    expect(open(async () => sent, storage, "bert").items).toHaveLength(1);
  });

  test("sends without storage", async () => {
    const texts: string[] = [];
    const box = open(async ({ text }) => {
      texts.push(text);
      return sent;
    }, fullStorage());
    box.add("bert", "one");
    box.reload();
    await idle();
    expect(texts).toEqual(["one"]);
  });
});

describe("without an open connection", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test("a request that is never answered counts as a failed try", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("window", Object.assign(new EventTarget(), { localStorage: memoryStorage() }));
    vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), milliseconds);
      return abort.signal;
    });
    vi.stubGlobal("fetch", (_address: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
    failures = 0;
    const box = ownMessageQueue("ada");
    box.onFailure(() => failures++);
    box.add("bert", "one");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([failures, box.items.map(({ text, delayed }) => [text, delayed])]).toEqual([1, [["one", true]]]);
    box.close();
  });

  test.each([
    ["full", fullStorage, true],
    ["not full", memoryStorage, false],
  ])("with storage that is %s, the browser asks before the page is closed", async (name, storage, expected) => {
    const page = Object.assign(new EventTarget(), { localStorage: storage() });
    vi.stubGlobal("window", page);
    let answer = (_: Response) => {};
    vi.stubGlobal("fetch", () => new Promise((resolve) => (answer = resolve)));
    const asks = () => !page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    const box = ownMessageQueue(name);
    expect(asks()).toBe(false);
    box.add("bert", "one");
    await idle();
    expect(asks()).toBe(expected);
    answer(Response.json(sent.sent));
    await vi.waitFor(() => expect(box.items).toEqual([]));
    expect(asks()).toBe(false);
    box.close();
  });
});

test("any failures and closed tabs: every message is acknowledged once, in order for each partner", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("ok", "lost", "unheard", "busy", "reload"), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (outcomes, count) => {
        const storage = memoryStorage();
        const server: string[] = [];
        const left = [...outcomes];
        let box: MessageQueue;
        const deliver: Deliver = async ({ sendId, to, text }) => {
          const fate = left.shift() ?? "ok";
          if (fate === "busy") return { refused: { code: "too-many", message: "" } };
          if (fate === "lost") throw new Error("lost");
          if (!server.includes(`${sendId} ${to} ${text}`)) server.push(`${sendId} ${to} ${text}`);
          if (fate === "unheard") throw new Error("unheard");
          if (fate === "reload") {
            box = open(deliver, storage);
            box.flush();
            return new Promise(() => {});
          }
          return sent;
        };
        box = open(deliver, storage);
        const texts = Array.from({ length: count }, (_, index) => String(index));
        for (const text of texts) for (const to of ["bert", "carl"]) box.add(to, text);
        await idle();
        const sentTo = (person: string) => server.filter((each) => each.includes(` ${person} `)).map((each) => each.split(" ")[2]);
        expect([sentTo("bert"), sentTo("carl")]).toEqual([texts, texts]);
        expect(storage.length).toBe(0);
      },
    ),
    { numRuns: 100 },
  ));
