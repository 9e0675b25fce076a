import { type Kysely, type Step, sql } from "./step.ts";

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/**
 * Words that somebody may have mistyped are found by their variants, which stand beside each of them. Looking for letters
 * that follow each other meant to go through every word that shares any three of them, and still missed some.
 */
export const slips: Step = async (db, { engine, text }) => {
  if (engine === "sqlite") {
    for (const name of ["insert", "delete"]) await run(db, `drop trigger search_words_${name}`);
    await run(db, "drop table search_words_similar");
  } else await run(db, "drop index search_words_similar");
  await db.schema
    .alterTable("search_words")
    .addColumn("variants", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await fill(db, engine === "sqlite");
  await (engine === "sqlite" ? indexOnSqlite(db) : indexOnPostgres(db));
};

async function indexOnSqlite(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    "create virtual table search_words_similar using fts5(variants, content='', tokenize='ascii', detail='none', columnsize=0)",
  );
  await run(db, "insert into search_words_similar (rowid, variants) select number, variants from search_words");
  const add = "insert into search_words_similar (rowid, variants) values (new.number, new.variants)";
  const remove = "insert into search_words_similar (search_words_similar, rowid, variants) values ('delete', old.number, old.variants)";
  await run(db, `create trigger search_words_insert after insert on search_words begin ${add}; end`);
  await run(db, `create trigger search_words_delete after delete on search_words begin ${remove}; end`);
}

/**
 * The index has no list of what is still to be put in: each search would go through it. Its function is said to be dear, so that it
 * is looked into also where there are few words: to part the variants of all of them takes longer.
 */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    `create function variants_of(variants text) returns text[] language plpgsql immutable strict parallel safe cost 1000
       as $$ begin return string_to_array(variants, ' '); end $$`,
  );
  await run(db, "create index search_words_similar on search_words using gin (variants_of(variants)) with (fastupdate = off)");
}

const atOnce = 1_000;

async function fill(db: Kysely<unknown>, isSqlite: boolean): Promise<void> {
  const given = sql.raw(isSqlite ? "json_each" : "json_array_elements");
  const number = sql.raw(isSqlite ? "value ->> 0" : "(value ->> 0)::bigint");
  const json = sql.raw(isSqlite ? "" : "::json");
  for (let last = 0; ; ) {
    const { rows } = await sql<{ number: number; word: string }>`
      select number, word from search_words where number > ${last} order by number limit ${sql.lit(atOnce)}`.execute(db);
    if (rows.length === 0) return;
    const filled = JSON.stringify(rows.map((row) => [row.number, variants(row.word).join(" ")]));
    await sql`update search_words set variants = given.variants
      from (select ${number} as number, value ->> 1 as variants from ${given}(${filled}${json})) as given
      where search_words.number = given.number`.execute(db);
    last = rows.at(-1)?.number as number;
  }
}

/** Of a word's first seven letters, up to one left out, or up to two where the word has six or more. */
function variants(word: string): string[] {
  const letters = [...word];
  let shortened = [letters.slice(0, 7).join("")];
  const all = new Set(shortened);
  for (let slip = 0; slip < (letters.length < 6 ? 1 : 2); slip++) {
    shortened = shortened.flatMap((each) => [...each].map((_, left, of) => of.toSpliced(left, 1).join("")));
    for (const each of shortened) all.add(each);
  }
  return [...all];
}
