import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";

/** `unreported`: saved before the kill, but not acknowledged. */
export type Outcome = { acknowledged: number; unreported: number };

/**
 * Kills a writing process at random moments, again and again on the same database, and checks the data each time.
 * @throws Error naming acknowledged but lost, partial, or refused but saved writes.
 */
export async function writeAndKill(kills: number, report: (kill: number) => void = () => {}): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-durable-"));
  const file = join(folder, "test.db");
  const saved = new Set<string>();
  const refused = new Set<string>();
  try {
    for (let kill = 1; kill <= kills; kill++) {
      for (const line of await linesUntilKilled(file, kill)) line.startsWith("-") ? refused.add(line.slice(1)) : saved.add(line);
      check(file, saved, refused);
      report(kill);
    }
    return { acknowledged: saved.size, unreported: idsIn(file).size - saved.size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const writer = join(import.meta.dirname, "durable-writer.ts");

async function linesUntilKilled(file: string, round: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, file, String(round)], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const output = text(child.stdout);
  const errors = text(child.stderr);
  await Promise.race([once(child.stdout, "data"), ended]);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
  child.kill("SIGKILL");
  const [, signal] = await ended;
  if (signal !== "SIGKILL") throw new Error(`The writer ended by itself:\n${await errors}`);
  // The kill cut off text after the last line break.
  return (await output).split("\n").slice(0, -1);
}

function check(file: string, saved: Set<string>, refused: Set<string>): void {
  const there = idsIn(file);
  const lost = [...saved].filter((id) => !there.has(id));
  if (lost.length > 0) throw new Error(`Acknowledged but lost: ${lost.join(", ")}`);
  const notUndone = [...refused].filter((id) => there.has(id));
  if (notUndone.length > 0) throw new Error(`Refused but saved: ${notUndone.join(", ")}`);
}

/** Opens the file as the next start would, without a clean shutdown. */
function idsIn(file: string): Set<string> {
  const database = new DatabaseSync(file);
  try {
    const counts = database.prepare(
      `select (select count(*) from writes) as writes, (select writes from counters) as counted, (select count(*) from parts) / 2.0 as pairs,
        (select count(*) from (select 1 from writes join parts using (id) group by id having count(*) = 2)) as whole`,
    );
    const { writes, counted, pairs, whole } = counts.get() as Record<string, number>;
    if (![counted, pairs, whole].every((count) => count === writes))
      throw new Error(`Partial write: ${JSON.stringify({ writes, counted, pairs, whole })}`);
    const integrity = database.prepare("pragma integrity_check").get()?.integrity_check;
    if (integrity !== "ok") throw new Error(`The file is damaged: ${integrity}`);
    const ids = database.prepare("select id from writes").all() as { id: string }[];
    return new Set(ids.map(({ id }) => id));
  } finally {
    database.close();
  }
}
