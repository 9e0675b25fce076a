import { fullCount, pluralize } from "#domain/format.ts";
import { converseUnderFaults } from "../tests/faults/conversations.ts";
import * as starts from "../tests/faults/failed-starts.ts";
import { killUnderLoad } from "../tests/faults/kills.ts";
import { sendThroughFaults } from "../tests/faults/mail-faults.ts";
import type { Outage } from "../tests/faults/outage.ts";
import * as outages from "../tests/faults/outages.ts";
import { restartUnderLoad } from "../tests/faults/restarts.ts";

export type Amount = { kills: number; seconds: number };

/** A line of the table. `run` throws for losses, and returns undefined where it can't run. */
export type Row = {
  name: string;
  fault: string;
  on: string;
  seen: string;
  recovers: string;
  run(amount: Amount, log: (what: string) => void): Promise<{ tried: string; kept: string } | undefined>;
};

const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

const kills = (["sqlite", "postgres"] as const).map(
  (engine): Row => ({
    name: "kills",
    fault: "`kill -9` at random moments, while people write with pictures, like, send messages, sign up and change settings",
    on: engineNames[engine],
    seen: "no response for two seconds; editor and chat keep the text and retry",
    recovers: "at the next start, without repair",
    async run(amount, log) {
      const { kills, acknowledged, byKind } = await killUnderLoad(amount.kills, engine, (kill) => kill % 10 === 0 && log(`${kill} kills`));
      const kinds = Object.entries(byKind).map(([kind, times]) => `${fullCount(times)} ${writeNames[kind] ?? kind}`);
      const checked = "after each kill the database is intact, every counter equals its rows, files and rows match";
      return { tried: `${fullCount(kills)} kills`, kept: `all ${fullCount(acknowledged)} acknowledged (${kinds.join(", ")}); ${checked}` };
    },
  }),
);

const writeNames: Record<string, string> = {
  Author: "stories with pictures",
  Reader: "likes",
  Correspondent: "messages",
  Newcomer: "accounts",
  Chooser: "settings",
};

/** An outage under the same load. */
function outage(row: Omit<Row, "run">, run: (durationMs: number) => Promise<(Outage & { more?: string }) | undefined>): Row {
  return {
    ...row,
    async run({ seconds }) {
      const result = await run(seconds * 1000);
      if (!result) return undefined;
      const { during, acknowledged, recoveredMs, more = "" } = result;
      const answers = (statuses: number[]) => statuses.map((status) => status || "timed out").join(", ");
      const saves = during.saves.length > 0 ? `refused saves: ${answers(during.saves)}` : "no save refused";
      return {
        tried: `${seconds} s under load; pages: ${answers(during.page)}; ${saves}${more}`,
        kept: `all ${fullCount(acknowledged)} acknowledged; everyone saved again after ${(recoveredMs / 1000).toFixed(1)} s`,
      };
    },
  };
}

const [sqlite, postgres, bothEngines] = ["SQLite", "PostgreSQL", "either"];
const unavailable = "a page “Back in a moment” (503) with *Try Again*; typed text stays in the form";
const automatic = "by itself";

const databaseRows: Row[] = [
  outage(
    { name: "postgres-away", fault: "PostgreSQL crashes and comes back", on: postgres, seen: unavailable, recovers: automatic },
    outages.stopPostgres,
  ),
  outage(
    { name: "postgres-full", fault: "PostgreSQL out of connections", on: postgres, seen: unavailable, recovers: automatic },
    outages.useUpConnections,
  ),
  outage(
    { name: "postgres-slow", fault: "PostgreSQL responds 0.3 s later", on: postgres, seen: "slow pages", recovers: automatic },
    (durationMs) => outages.slowPostgres("slow", durationMs),
  ),
  outage(
    {
      name: "postgres-silent",
      fault: "PostgreSQL accepts requests and never responds",
      on: postgres,
      seen: `after ten seconds, ${unavailable}`,
      recovers: automatic,
    },
    (durationMs) => outages.slowPostgres("silent", durationMs),
  ),
  outage(
    {
      name: "frozen",
      fault: "one of two processes frozen (SIGSTOP)",
      on: postgres,
      seen: "nothing, once the proxy uses the other process",
      recovers: "by itself; the database releases the frozen process’s locks after a timeout",
    },
    outages.freezeOneOfTwo,
  ),
  outage(
    {
      name: "long-reader",
      fault: "a long-running reader, so that SQLite’s WAL grows",
      on: sqlite,
      seen: "nothing",
      recovers: "the WAL is truncated to 8 MB after the reader ends",
    },
    async (durationMs) => {
      const { logBytes, afterBytes, ...outage } = await outages.holdReadTransaction(durationMs);
      const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
      return { ...outage, more: `; WAL ${megabytes(logBytes)}, then ${megabytes(afterBytes)}` };
    },
  ),
];

const fileRows: Row[] = [
  outage(
    {
      name: "disk-full",
      fault: "disk full",
      on: sqlite,
      seen: "pages load; saves fail with a message and keep the text",
      recovers: "by itself, when there is space",
    },
    outages.fillDisk,
  ),
  outage(
    {
      name: "files-closed",
      fault: "read-only files folder",
      on: sqlite,
      seen: "pages and saves without pictures work; “the picture couldn’t be saved” next to the typed text",
      recovers: "by itself",
    },
    outages.makeFilesReadOnly,
  ),
  outage(
    {
      name: "s3-away",
      fault: "S3 unreachable",
      on: bothEngines,
      seen: "pages without pictures; “the picture couldn’t be saved”",
      recovers: automatic,
    },
    (durationMs) => outages.breakS3("away", durationMs),
  ),
  outage(
    {
      name: "s3-silent",
      fault: "S3 accepts requests and never responds",
      on: bothEngines,
      seen: "the same, after ten seconds",
      recovers: automatic,
    },
    (durationMs) => outages.breakS3("silent", durationMs),
  ),
  outage(
    {
      name: "s3-closed",
      fault: "S3 rejects the site’s keys",
      on: bothEngines,
      seen: "pages without pictures; “the picture couldn’t be saved”. `/readyz` answers 503 and the log has the store’s reason",
      recovers: "by itself, once it accepts them; new keys need a restart",
    },
    (durationMs) => outages.breakS3("closed", durationMs),
  ),
];

/** The site doesn't start, says why, and changes nothing. */
function refusal(row: Pick<Row, "name" | "fault" | "recovers"> & Partial<Row>, start: () => Promise<string | undefined>): Row {
  return {
    ...{ on: sqlite, ...row, seen: "the site is down; the console says why" },
    async run() {
      const message = await start();
      const short = message
        ?.trim()
        .replace(/^Inkstead can't start: /, "")
        .replaceAll(/\/tmp\/\S+?(?=[\s/])/g, "…")
        .replaceAll("|", "/")
        .replace(/process \d+ on .*? since \S+Z/, "process … on …, at …, since …");
      return message === undefined ? undefined : { tried: "a start", kept: `everything unchanged; says “${short}”` };
    },
  };
}

const startRows: Row[] = [
  refusal(
    { name: "second", fault: "a second process on the same SQLite data folder", recovers: "the first one keeps serving" },
    starts.startSecond,
  ),
  refusal({ name: "migration", fault: "a migration that fails", recovers: "with the previous or a fixed version" }, starts.failMigration),
  refusal(
    { name: "damaged", fault: "a page of the database overwritten", recovers: "by restoring a backup, also tested" },
    starts.damagePage,
  ),
  refusal({ name: "read-only", fault: "a data folder that can’t be written to", recovers: "once it can" }, starts.startReadOnly),
  refusal({ name: "s3-keys", on: bothEngines, fault: "wrong keys for S3", recovers: "with the right keys" }, starts.startWithWrongKeys),
];

const otherRows: Row[] = [
  ...(["sqlite", "postgres"] as const).flatMap((engine) =>
    [5, -5].map((hours) =>
      outage(
        {
          name: "clock",
          fault: `the clock jumps ${Math.abs(hours)} hours ${hours > 0 ? "ahead" : "back"}, and returns`,
          on: engineNames[engine],
          seen: "times as wrong as the clock",
          recovers: automatic,
        },
        (durationMs) => outages.jumpClock(engine, hours, durationMs),
      ),
    ),
  ),
  {
    name: "messages",
    fault: "sockets cut, pages reloaded, people moved to the other process and processes killed during chats",
    on: postgres,
    seen: "“Connection lost”; their messages wait and are sent",
    recovers: automatic,
    async run({ kills }, log) {
      const report = (run: number) => run % 100 === 0 && log(`${run} conversations`);
      const { messages, drops, reloads, moves, kills: killed } = await converseUnderFaults(kills, report);
      const tried = `${fullCount(kills)} conversations, ${fullCount(drops)} cuts, ${fullCount(reloads)} loads, ${fullCount(moves)} moves, ${pluralize(killed, "kill")}`;
      return { tried, kept: `all ${fullCount(messages)} messages, each once and in order on both sides` };
    },
  },
  ...(["sqlite", "postgres"] as const).map(
    (engine): Row => ({
      name: "mail",
      fault: "a mail server that refuses, stalls, disconnects or never responds, and killed senders",
      on: engineNames[engine],
      seen: "nothing; emails arrive later. *Admin Panel* → *Emails* lists failures and possible arrivals",
      recovers: "retried for hours; never sent twice",
      async run({ kills }, log) {
        const report = (kill: number) => kill % 10 === 0 && log(`${kill} kills`);
        const result = await sendThroughFaults(Math.max(2, Math.round(kills / 10)), 40, engine, report);
        for (const [fault, times] of Object.entries(result.faults).sort()) log(`${fault}: ${times}`);
        const faults = Object.values(result.faults).reduce((sum, times) => sum + times, 0);
        return {
          tried: `${fullCount(result.emails)} emails, ${fullCount(faults)} faults, ${fullCount(result.kills)} kills`,
          kept: `${fullCount(result.sent)} arrived once, ${fullCount(result.failed)} listed as failed, ${fullCount(result.unknown)} as perhaps arrived`,
        };
      },
    }),
  ),
];

const restarts = (["sqlite", "postgres"] as const).map(
  (engine): Row => ({
    name: "restarts",
    fault: `restarts by SIGTERM every ten minutes while a hundred people use the site, ${engine === "sqlite" ? "one process, no proxy" : "two processes in turn behind a proxy"}`,
    on: engineNames[engine],
    seen: engine === "sqlite" ? "no connection until it is back; requests are retried" : "nothing; sockets move to the other process",
    recovers: "no recovery needed",
    async run({ kills }, log) {
      const amount = { restarts: Math.max(2, Math.round(kills / 10)), people: 100, everyMs: 10_000, pauseMs: 3_000 };
      const { restarts, answers, messages, downMs } = await restartUnderLoad(amount, engine, log);
      if (answers.cut > 0 || answers.failures > 0)
        throw new Error(`${answers.cut} requests cut, ${answers.failures} answered ${JSON.stringify([...answers.failed])}`);
      const refused = engine === "sqlite" ? `, ${fullCount(answers.refused)} connections refused and retried` : "";
      return {
        tried: `${fullCount(restarts)} restarts, a process down for ${(downMs / 1000).toFixed(1)} s at the most${refused}`,
        kept: `all ${fullCount(answers.answered)} requests answered completely, none with 5xx; all ${fullCount(messages)} messages, each once and in order on both sides`,
      };
    },
  }),
);

export const rows: Row[] = [...kills, ...databaseRows, ...fileRows, ...startRows, ...otherRows, ...restarts];
