import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { isBundled, programFolder } from "../program.ts";
import type { Engine } from "./engine.ts";
import { statementsOf } from "./migrations/step.ts";
import type { Database, DatabaseTransaction } from "./open.ts";

type Definition = { name: string; hash: string; statements: string[] };

/** A build has its own copy: during an update the sources already have the next version's. */
const definitionsFolder = join(programFolder, ...(isBundled ? ["build", "site"] : ["platform", "database"]), "definitions");

function readDefinitions(engine: Engine): Definition[] {
  const folder = join(definitionsFolder, engine);
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, hash: createHash("sha256").update(text).digest("hex"), statements: statementsOf(text) };
    });
}

export async function areDefinitionsCurrent(db: Database, engine: Engine): Promise<boolean> {
  const list = (rows: { name: string; hash: string }[]) =>
    rows
      .map(({ name, hash }) => `${name} ${hash}`)
      .sort()
      .join();
  return list(await db.selectFrom("definitions").select(["name", "hash"]).execute()) === list(readDefinitions(engine));
}

/** Recreates what differs from the files and drops what is no longer in them. @returns the names of the files that ran. */
export async function applyDefinitions(tx: DatabaseTransaction, engine: Engine): Promise<string[]> {
  const definitions = readDefinitions(engine);
  const functions = definitions
    .flatMap(({ statements }) => statements.map(dropStatementFor))
    .filter((drop) => drop?.startsWith("drop function"));
  const stored = await tx.selectFrom("definitions").selectAll().execute();
  const isStored = ({ name, hash }: { name: string; hash: string }) => stored.some((each) => each.name === name && each.hash === hash);
  for (const { name, hash, drops } of stored) {
    if (definitions.some((each) => each.name === name && each.hash === hash)) continue;
    // Functions are replaced in place: others may depend on them.
    for (const drop of statementsOf(drops).toReversed()) if (!functions.includes(drop)) await sql.raw(drop).execute(tx);
    await tx.deleteFrom("definitions").where("name", "=", name).execute();
  }
  const changed = definitions.filter((each) => !isStored(each));
  for (const { name, hash, statements } of changed) {
    const drops = statements.map(dropStatementFor).filter((drop) => drop !== undefined);
    for (const statement of statements) {
      const drop = dropStatementFor(statement);
      if (drop && !drop.startsWith("drop function")) await sql.raw(drop).execute(tx);
      await sql.raw(statement).execute(tx);
    }
    await tx
      .insertInto("definitions")
      .values({ name, hash, drops: drops.join("\n\n") })
      .execute();
  }
  return changed.map(({ name }) => name);

  function dropStatementFor(statement: string): string | undefined {
    const created = statement.replace(/^--.*\n/gm, "");
    const [, kind, name] = /^create (?:or replace )?(trigger|virtual table|view|index|function) (\w+)/.exec(created) ?? [];
    if (!kind) return undefined;
    if (kind === "function") return `drop function if exists ${/(\w+\([^)]*\))/.exec(created)?.[1]}`;
    const on = kind === "trigger" && engine === "postgres" ? ` on ${/ on (\w+)/.exec(created)?.[1]}` : "";
    return `drop ${kind.replace("virtual ", "")} if exists ${name}${on}`;
  }
}
