import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { type ControlledTransaction, Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { isDuplicate, NotSavedError } from "#platform/database/errors.ts";
import { sqliteDialect } from "./sqlite.ts";

type Tables = { rows: { key: string; value: number }; turns: { n: number }; parts: { key: string } };
type Wait = "microtask" | "immediate" | "timer";
type Write = { does: "put" | "insert" | "insert, ignoring duplicates"; key: string; value: number };
type Fault = { does: "throw" | "roll everything back" | "make the COMMIT fail" };
type Step = Write | { does: "delete"; key: string } | { does: "wait"; how: Wait } | Fault;
type Work = { waits: Wait[]; single: boolean; steps: Step[] };
type State = Record<string, number>;
/** Effects of the n-th transaction. `found`: the state when it began. */
type Turn = { n: number; found: State; effects: Effect[] };
type Effect = { key: string; value: number | undefined };

const key = fc.constantFrom("a", "b", "c");
const value = fc.nat(99);
const wait = fc.constantFrom<Wait>("microtask", "immediate", "timer");
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant("put" as const), key, value }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("insert" as const), key, value }) },
    { weight: 4, arbitrary: fc.record({ does: fc.constant("insert, ignoring duplicates" as const), key, value }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("delete" as const), key }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), how: wait }) },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constantFrom("throw" as const, "throw", "roll everything back", "make the COMMIT fail") }),
    },
  ),
  { maxLength: 4 },
);
const works = fc.array(fc.record({ waits: fc.array(wait, { maxLength: 2 }), single: fc.boolean(), steps }), {
  minLength: 2,
  maxLength: 14,
});

test("the database holds exactly the acknowledged transactions, in order, whatever runs concurrently", async () => {
  const seen = { saved: 0, failed: 0, lost: 0 };
  await fc.assert(
    fc.asyncProperty(works, fc.constantFrom(0, 2, 10), async (works, maxGroupMs) => {
      const folder = mkdtempSync(join(tmpdir(), "inkstead-groups-"));
      try {
        await check(join(folder, "test.db"), works, maxGroupMs, seen);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 80 },
  );
  // Each outcome must occur, or the test proves nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
});

async function check(file: string, works: Work[], maxGroupMs: number, seen: Record<"saved" | "failed" | "lost", number>) {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { maxGroupMs }) });
  await makeTables(db);
  const saved: Turn[] = [];
  const rejected: Turn[] = [];
  const stopSampling = sampleStates(db);
  await Promise.all(
    works.map(async ({ waits, single, steps }) => {
      for (const how of waits) await pause(how);
      let started: Turn | undefined;
      const onStart = (turn: Turn) => {
        started = turn;
      };
      try {
        const turn = await (single ? runSingle(db) : runTransaction(db, steps, onStart));
        expect((await readState(db)).n).toBeGreaterThanOrEqual(turn.n);
        saved.push(turn);
        seen.saved++;
      } catch (error) {
        if (!(error instanceof NotSavedError || error instanceof DeliberateError || isDuplicate(error))) throw error;
        const lost = error instanceof NotSavedError || String(error).includes("taken");
        seen[lost ? "lost" : "failed"]++;
        if (!lost && started) rejected.push(started);
      }
    }),
  );
  const samples = await stopSampling();
  await db.destroy();

  const states: State[] = [{}];
  for (const { n, found, effects } of saved.sort((a, b) => a.n - b.n)) {
    const before = states.at(-1) as State;
    expect({ n, found }).toEqual({ n: states.length, found: before });
    states.push(apply(before, effects));
  }
  expect(stateInFile(file)).toEqual({ n: saved.length, state: states.at(-1) });
  for (const { n, state } of samples) expect(state).toEqual(states[n]);
  // Rejected transactions saw saved states only.
  for (const { n, found } of rejected) expect(found).toEqual(states[n - 1]);
}

async function makeTables(db: Kysely<Tables>) {
  await sql`create table rows (key text primary key, value integer not null)`.execute(db);
  await sql`create table turns (n integer not null)`.execute(db);
  await sql`create table taken (key text primary key)`.execute(db);
  await sql`create table parts (key text references rows (key) deferrable initially deferred)`.execute(db);
  await sql`insert into turns values (0)`.execute(db);
  await sql`insert into taken values ('x')`.execute(db);
}

type Handle = ControlledTransaction<Tables>;

class DeliberateError extends Error {}

async function runSingle(db: Kysely<Tables>): Promise<Turn> {
  const { rows } = await sql<{ n: number; found: string }>`
    update turns set n = n + 1 returning n, (select json_group_object(key, value) from rows) as found`.execute(db);
  return { n: rows[0]?.n ?? 0, found: JSON.parse(rows[0]?.found ?? ""), effects: [] };
}

/** `onStart` is called as soon as it has started. */
async function runTransaction(db: Kysely<Tables>, steps: Step[], onStart: (turn: Turn) => void): Promise<Turn> {
  const trx = await db.startTransaction().execute();
  try {
    const turn = await runSingle(trx);
    onStart(turn);
    await runSteps(trx, steps, turn.effects);
    await trx.commit().execute();
    return turn;
  } catch (error) {
    if (!trx.isCommitted && !trx.isRolledBack) await trx.rollback().execute();
    throw error;
  }
}

async function runSteps(trx: Handle, steps: Step[], effects: Effect[]): Promise<void> {
  for (const step of steps) {
    if (step.does === "wait") await pause(step.how);
    else if (step.does === "delete") await remove(trx, step.key, effects);
    else if ("key" in step) await write(trx, step, effects);
    else await fault(trx, step);
  }
}

async function remove(trx: Handle, key: string, effects: Effect[]) {
  await trx.deleteFrom("rows").where("key", "=", key).execute();
  effects.push({ key, value: undefined });
}

async function write(trx: Handle, { does, key, value }: Write, effects: Effect[]) {
  const insert = trx.insertInto("rows").values({ key, value });
  const query = does === "put" ? insert.onConflict((conflict) => conflict.column("key").doUpdateSet({ value })) : insert;
  try {
    await query.execute();
    effects.push({ key, value });
  } catch (error) {
    if (does !== "insert, ignoring duplicates" || !isDuplicate(error)) throw error;
  }
}

async function fault(trx: Handle, { does }: Fault) {
  if (does === "throw") throw new DeliberateError();
  if (does === "make the COMMIT fail") await sql`insert into parts values ('nowhere')`.execute(trx);
  else await sql`insert or rollback into taken values ('x')`.execute(trx);
}

function pause(how: Wait): Promise<void> {
  if (how === "microtask") return Promise.resolve();
  return new Promise((resolve) => (how === "immediate" ? setImmediate(resolve) : setTimeout(resolve, 1)));
}

async function readState(db: Kysely<Tables>): Promise<{ n: number; state: State }> {
  const { rows } = await sql<{ n: number; state: string }>`
    select n, (select json_group_object(key, value) from rows) as state from turns`.execute(db);
  return { n: rows[0]?.n ?? 0, state: JSON.parse(rows[0]?.state ?? "") };
}

/** Samples the state in every turn of the event loop. @returns a function that stops it and returns the samples. */
function sampleStates(db: Kysely<Tables>) {
  const samples: { n: number; state: State }[] = [];
  let running = true;
  const ended = (async () => {
    while (running) {
      samples.push(await readState(db));
      await pause("immediate");
    }
  })();
  return async () => {
    running = false;
    await ended;
    return samples;
  };
}

function apply(state: State, effects: Effect[]): State {
  const next = { ...state };
  for (const { key, value } of effects) {
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

function stateInFile(file: string): { n: number; state: State } {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("select key, value from rows").all() as { key: string; value: number }[];
  const { n } = database.prepare("select n from turns").get() as { n: number };
  database.close();
  return { n, state: Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
}
