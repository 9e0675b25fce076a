import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Web } from "../http.ts";
import { createRequestLimiter } from "./request-limiter.ts";
import { SignInQueue } from "./sign-in-queue.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const limits = { minTurnMs: 40, maxTurnMs: 250, maxWaitMs: 1_000 };

/** Requests by name, whose first letter is the network; each takes `workMs`. */
function openTurns(workMs: number) {
  const turns = new SignInQueue(limits);
  const started: string[] = [];
  const refused: string[] = [];
  const send = async (name: string) => {
    const end = await turns.begin(name.charAt(0));
    if (!end) return void refused.push(name);
    started.push(name);
    setTimeout(end, workMs);
  };
  return { started, refused, send };
}

/** In steps, because the end of a turn resolves several promises. */
async function pass(milliseconds: number): Promise<void> {
  for (let at = 0; at < milliseconds; at += 10) await vi.advanceTimersByTimeAsync(10);
}

test("simultaneous requests begin one by one, alternating between networks", async () => {
  const { started, send } = openTurns(5);
  for (const name of ["a1", "a2", "a3", "b1"]) void send(name);
  await pass(30);
  expect(started).toEqual(["a1"]);
  await pass(200);
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
});

test("the next turn begins after the one before, or after its time limit", async () => {
  const slow = openTurns(120);
  for (const name of ["a1", "b1"]) void slow.send(name);
  await pass(110);
  expect(slow.started).toEqual(["a1"]);
  await pass(30);
  expect(slow.started).toEqual(["a1", "b1"]);
  const stuck = openTurns(60_000);
  for (const name of ["a1", "b1"]) void stuck.send(name);
  await pass(300);
  expect(stuck.started).toEqual(["a1", "b1"]);
});

test("a wait that is too long is refused", async () => {
  const { started, refused, send } = openTurns(60_000);
  for (let number = 1; number <= 9; number++) void send(`a${number}`);
  await pass(1_500);
  expect([started.length + refused.length, refused.length > 3, refused.includes("a1")]).toEqual([9, true, false]);
});

test("the networks of one IPv6 /48 leave places to others", async () => {
  const limiter = createRequestLimiter({ now: () => 0, hasCredentials: () => false });
  const web = new Hono<Web>();
  web.use(limiter.check((_c, { status }) => new Response(null, { status })));
  web.post("/login", (c) => c.text("signed in"));
  const statuses: number[] = [];
  const signIn = async (remoteAddress: string) => {
    const bindings = { incoming: { socket: { remoteAddress }, headers: {}, rawHeaders: [] } } as unknown as Web["Bindings"];
    const { status } = await web.request("/login", { method: "POST" }, bindings);
    statuses.push(status);
    return status;
  };
  for (let line = 1; line <= 420; line++) void signIn(`2001:db8:1:${line.toString(16)}::1`);
  const other = signIn("203.0.113.5");
  await pass(200);
  expect(await other).toBe(200);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(100);
});
