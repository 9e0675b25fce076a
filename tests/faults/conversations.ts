import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { type Messenger, memoryStorage, openMessenger } from "./messenger.ts";

/** Counts; lost, repeated and reordered messages are thrown. */
export type Outcome = { messages: number; drops: number; reloads: number; moves: number; kills: number };

type Participant = 0 | 1;
type Step = { what: "send" | "drop" | "reload" | "move" | "pause"; who: Participant; time: number };

const steps = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 10, arbitrary: fc.constant("send" as const) },
      { weight: 2, arbitrary: fc.constantFrom("drop" as const, "reload" as const, "move" as const) },
      { weight: 3, arbitrary: fc.constant("pause" as const) },
    ),
    who: fc.constantFrom(0 as const, 1 as const),
    time: fc.nat(60),
  }),
  { minLength: 6, maxLength: 24 },
);

/** Conversations in parallel; each such round kills a process once. */
const maxConcurrentConversations = 20;

/**
 * Pairs of people write to each other through two processes on one PostgreSQL while sockets break, pages reload, people switch processes,
 * and processes are killed; each time with new people.
 * @throws Error naming the conversation that differs, with its seed.
 */
export async function converseUnderFaults(runs: number, report: (run: number) => void = () => {}): Promise<Outcome> {
  const first = await startServer({ DATABASE_CONNECTIONS: "5" }, "postgres");
  const { DATABASE_URL = "", SECRET = "" } = first.environment;
  const second = await startServer({ DATABASE_URL, SECRET, DATABASE_CONNECTIONS: "5" });
  const site = await openSite(readConfig({ ...first.environment, DATABASE_CONNECTIONS: "5" }), createLog("silent"));
  const servers = [first, second];
  const outcome: Outcome = { messages: 0, drops: 0, reloads: 0, moves: 0, kills: 0 };
  const seed = Date.now() % 1_000_000;
  const scripts = fc.sample(steps, { numRuns: runs, seed });
  try {
    for (let start = 0; start < runs; start += maxConcurrentConversations) {
      const round = scripts.slice(start, start + maxConcurrentConversations);
      const killed = killOne(servers, outcome);
      await Promise.all(
        round.map((script, index) => converse({ site, servers, outcome, name: `run ${start + index} of seed ${seed}` }, script)),
      );
      await killed;
      for (let run = start + 1; run <= start + round.length; run++) report(run);
    }
  } finally {
    await closeSite(site);
    for (const server of servers) await server.close();
  }
  return outcome;
}

/** At a random moment of the round; restarts a moment later. */
async function killOne(servers: RunningServer[], outcome: Outcome): Promise<void> {
  await wait(Math.random() * 800);
  const server = servers[Math.floor(Math.random() * servers.length)];
  await server?.kill();
  outcome.kills++;
  await wait(Math.random() * 300);
  await server?.start();
}

type Context = { site: Site; servers: RunningServer[]; outcome: Outcome; name: string };
type Side = {
  person: Member;
  partner: Member;
  cookie: string;
  server: number;
  storage: ReturnType<typeof memoryStorage>;
  tab: Messenger;
  sent: string[];
};

async function converse({ site, servers, outcome, name }: Context, script: Step[]): Promise<void> {
  const [ada, bert] = [await addMember({ site }, "Ada", address()), await addMember({ site }, "Bert", address())];
  const sides = [await openSide(site, servers, ada, bert, 0), await openSide(site, servers, bert, ada, 1)] as const;
  for (const [index, { what, who, time }] of script.entries()) {
    const side = sides[who];
    if (what === "pause") await wait(time);
    else await act[what](side, servers, outcome, `${index}.${who}`);
  }
  await settle(sides, name);
  await compare(site, sides, name);
  for (const { tab } of sides) tab.close();
}

const address = () => ({ email: `${Math.random().toString(36).slice(2)}@example.com` });

async function openSide(site: Site, servers: RunningServer[], person: Member, partner: Member, server: number): Promise<Side> {
  const { cookie } = await signIn({ site }, person);
  const side = { person, partner, cookie, server, storage: memoryStorage(), sent: [] };
  return { ...side, tab: await open(side, servers) };
}

/** The address is read each time, because the side's server may change. */
function open(side: Omit<Side, "tab">, servers: RunningServer[]): Promise<Messenger> {
  const { cookie, storage, person, partner } = side;
  const parts = { url: () => servers[side.server]?.url ?? "", cookie, storage, personId: person.id, partnerId: partner.id };
  return openMessenger({ ...parts, pause: () => wait(40), waitUntilReady: false });
}

type StepAction = (side: Side, servers: RunningServer[], outcome: Outcome, text: string) => Promise<void> | void;

const act: Record<Exclude<Step["what"], "pause">, StepAction> = {
  send(side, _nodes, outcome, text) {
    outcome.messages++;
    side.sent.push(text);
    side.tab.put(text);
  },
  drop(side, _nodes, outcome) {
    outcome.drops++;
    side.tab.drop();
  },
  async reload(side, servers, outcome) {
    outcome.reloads++;
    side.tab.close();
    side.tab = await open(side, servers);
  },
  move(side, _nodes, outcome) {
    outcome.moves++;
    side.server = 1 - side.server;
    side.tab.drop();
  },
};

/** Long: a busy machine is slow, not wrong. */
const conversationTimeoutMs = 240_000;

/** Waits until both have sent everything and see the same number of messages. */
async function settle(sides: readonly [Side, Side], name: string): Promise<void> {
  const total = sides[0].sent.length + sides[1].sent.length;
  const end = performance.now() + conversationTimeoutMs;
  const isDone = () => sides.every(({ tab }) => tab.box.items.length === 0 && tab.texts().length === total);
  while (!isDone() && performance.now() < end) await wait(20);
  if (isDone()) return;
  const states = sides.map(({ tab, sent }) => ({ sent, shown: tab.texts(), waiting: tab.box.items, live: tab.live.state }));
  throw new Error(`${name}: not settled after ${conversationTimeoutMs / 1000} s: ${JSON.stringify(states)}`);
}

async function compare(site: Site, sides: readonly [Side, Side], name: string): Promise<void> {
  const [one, other] = sides;
  const rows = await site.db
    .selectFrom("messages")
    .select(["number", "message", "senderId"])
    .where((eb) => eb.or([eb("senderId", "=", one.person.id), eb("senderId", "=", other.person.id)]))
    .orderBy("number")
    .execute();
  const texts = rows.map(({ message }) => message);
  const expectEqual = (what: string, is: unknown, shouldBe: unknown) => {
    if (!isDeepStrictEqual(is, shouldBe)) throw new Error(`${name}: ${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(shouldBe)}`);
  };
  expectEqual(
    "numbers",
    rows.map(({ number }) => number),
    rows.map((_row, index) => index + 1),
  );
  for (const { person, sent, tab } of sides) {
    expectEqual(`${person.name}'s screen`, tab.texts(), texts);
    const own = rows.filter(({ senderId }) => senderId === person.id).map(({ message }) => message);
    expectEqual(`messages sent by ${person.name}`, own, sent);
  }
}
