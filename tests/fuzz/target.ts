import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword } from "better-auth/crypto";
import type { Member } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase } from "../postgres/databases.ts";
import { addMember, signIn } from "../support/members.ts";
import { insertPeople, people } from "../support/people.ts";
import { freePort } from "../support/process.ts";
import { senders } from "./attempt.ts";
import type { MeterAnswer, Question, Reading } from "./meter.ts";
import type { Probe } from "./prober.ts";
import type { Address, Cookies } from "./send.ts";
import { type Ids, readIds } from "./values.ts";

/** The site under attack, in its own process. */
export type Target = Address & {
  ids: Ids;
  /** Cookies of people who are still signed in. */
  cookies(): Promise<Cookies>;
  read(collect?: boolean): Promise<Reading>;
  /** Delays of /healthz since the last call. */
  probe(): Promise<Probe>;
  crashes(): string[];
  /** After a crash. */
  restart(): Promise<void>;
  /** Error lines of its log. */
  errors(): string[];
  close(): Promise<void>;
};

const root = join(import.meta.dirname, "..", "..");
/** Sessions of each kind that one check covers. */
const checkedSessions = 5;

type TargetOptions = {
  /** Signed-in people of each kind, used in turn; each sign-out removes one. */
  people: number;
  /** Inserts content besides people, given the environment of the data folder. */
  fill?: (environment: Record<string, string>) => Promise<void>;
};

/** Starts a site with its own data folder or database. */
export async function openTarget(engine: Engine, { people: number, fill }: TargetOptions): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-attack-"));
  const dataDir = join(folder, "data");
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const database = engine === "postgres" ? await createDatabase() : undefined;
  const environment: Record<string, string> = {
    ...{ SITE_URL: origin, DATA_DIR: dataDir, PORT: String(port), SECRET: "a secret that only the tests know", LOG_LEVEL: "error" },
    ...{ HOST: "127.0.0.1", SMTP_URL: "", FILES_URL: "", ADMIN_EMAILS: "", DATABASE_URL: database?.url ?? "" },
  };
  await fill?.(environment);
  const { jars, ids } = await addPeople(environment, number);
  let running = await start(environment, origin);
  const crashes: string[] = [];
  const errors: string[] = [];
  const listen = () => {
    const { child, output } = running;
    child.stdout?.on("data", (chunk: Buffer) =>
      errors.push(
        ...String(chunk)
          .split("\n")
          .filter((line) => line.startsWith('{"level":50')),
      ),
    );
    child.on("message", receiveReading);
    child.once("exit", rejectWaiting);
    child.once(
      "exit",
      (code, signal) => void (signal === "SIGKILL" || crashes.push(`ended with ${signal ?? code}: ${output().slice(-600)}`)),
    );
  };
  const prober = await startProber(port);
  let asked = 0;

  const waiting = new Map<number, { resolve: (reading: Reading) => void; reject: (reason: Error) => void }>();
  const read = (collect = false) =>
    new Promise<Reading>((resolve, reject) => {
      const meter = ++asked;
      waiting.set(meter, { resolve, reject });
      if (running.child.connected) running.child.send({ meter, collect } satisfies Question);
      else rejectWaiting();
    });
  /** Rejects readings that an ended process will not send. */
  function rejectWaiting() {
    for (const { reject } of waiting.values()) reject(new Error("the server has ended"));
    waiting.clear();
  }
  function receiveReading({ meter, reading }: MeterAnswer) {
    waiting.get(meter)?.resolve(reading);
    waiting.delete(meter);
  }

  listen();
  return {
    port,
    origin,
    ids,
    cookies: () => checkSessions(jars, origin),
    read,
    probe: prober.read,
    crashes: () => crashes,
    errors: () => errors,
    async restart() {
      running = await start(environment, origin);
      listen();
    },
    async close() {
      prober.close();
      if (running.child.exitCode === null && running.child.signalCode === null) {
        running.child.kill("SIGKILL");
        await once(running.child, "exit");
      }
      rmSync(folder, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

/** Inserts people, some signed in, before the site starts. */
async function addPeople(environment: Record<string, string>, number: number): Promise<{ jars: Cookies; ids: Ids }> {
  const site = await openSite(readConfig(environment), createLog("silent"));
  const known = await site.db.selectFrom("users").select("id").where("email", "=", people.maren.email).executeTakeFirst();
  if (!known) await insertPeople(site.db, await hashPassword("a lamp in the window"), site.now());
  const jars: Cookies = { visitor: [""], member: [], unconfirmed: [], moderator: [], administrator: [] };
  for (let index = 0; index < number; index++) {
    for (const kind of senders.slice(1)) {
      const chosen: Partial<Member> = {
        email: `${kind}${index}@attack.example`,
        isEmailConfirmed: kind !== "unconfirmed",
        staff: kind === "administrator" || kind === "moderator" ? kind : null,
      };
      const person = await addMember({ site }, `Person ${index}`, chosen);
      jars[kind].push((await signIn({ site }, person, { reauthenticated: true })).cookie);
    }
  }
  const ids = await readIds(site.db);
  await closeSite(site);
  return { jars, ids };
}

/** Checks some sessions of each kind one after the other; all at once would be a load of its own. */
async function checkSessions(jars: Cookies, origin: string): Promise<Cookies> {
  for (const kind of senders.slice(1)) {
    const jar = jars[kind];
    for (const cookie of jar.splice(0, checkedSessions)) {
      const response = await fetch(`${origin}/account`, { headers: { cookie }, redirect: "manual" });
      await response.arrayBuffer();
      // Checked sessions go to the end of the queue.
      if (response.status !== 302 || jar.length === 0) jar.push(cookie);
    }
  }
  return { ...jars };
}

async function start(environment: Record<string, string>, origin: string): Promise<{ child: ChildProcess; output(): string }> {
  const meter = join(import.meta.dirname, "meter.ts");
  const env = { ...process.env, NODE_ENV: "production", ...environment };
  const child = spawn(process.execPath, ["--import", meter, "build/site/serve.js"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-20_000);
    });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`);
    const isReady = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return { child, output: () => output };
    await pause(100);
  }
}

async function startProber(port: number): Promise<{ read(): Promise<Probe>; close(): void }> {
  const file = join(import.meta.dirname, "prober.ts");
  const idleServer = fork(file, ["0", "serve"]);
  const [control] = (await once(idleServer, "message")) as [number];
  const prober = fork(file, [String(port), String(control)]);
  return {
    async read() {
      prober.send("read");
      const [seen] = (await once(prober, "message")) as [Probe];
      return seen;
    },
    close() {
      prober.kill();
      idleServer.kill();
    },
  };
}
