import { type Kysely, type Step, sql } from "./step.ts";

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/**
 * On SQLite the index of words knows an unpublished story by its number below zero. A search for published ones is then a
 * stretch of the index; asking for the word that each of them holds meant to go through the longest list that there is.
 */
export const publishedSearch: Step = async (db, { engine }) => {
  if (engine !== "sqlite") return;
  for (const name of ["insert", "delete", "update"]) await run(db, `drop trigger posts_search_${name}`);
  const hidden = `from posts p where ${place("p")} < 0`;
  await run(db, `insert into posts_search (posts_search, rowid, words) select 'delete', p.number, ${words("p")} ${hidden}`);
  await run(db, `insert into posts_search (rowid, words) select -p.number, ${words("p")} ${hidden}`);

  const add = `insert into posts_search (rowid, words) values (${place("new")}, ${words("new")});`;
  const remove = `insert into posts_search (posts_search, rowid, words) values ('delete', ${place("old")}, ${words("old")});`;
  const columns = ["searchTitle", "searchAuthor", "searchText", "status"];
  const on = `update of ${columns.map((column) => `"${column}"`).join(", ")} on posts`;
  const when = columns.map((column) => `old."${column}" <> new."${column}"`).join(" or ");
  await run(db, `create trigger posts_search_insert after insert on posts begin ${add} end`);
  await run(db, `create trigger posts_search_delete after delete on posts begin ${remove} end`);
  await run(db, `create trigger posts_search_update after ${on} when ${when} begin ${remove} ${add} end`);
};

const place = (row: string) => `(case ${row}.status when 'active' then ${row}.number else -${row}.number end)`;

/** As 0007 put them in; what is taken out of the index must be the same. */
function words(row: string): string {
  const [title, author, text] = ["searchTitle", "searchAuthor", "searchText"].map((column) => `${row}."${column}"`);
  const marked = (mark: string, text: string) => `replace(' ' || ${text}, ' ', ' ${mark}')`;
  return `${title} || ' ' || ${author} || ' ' || ${text} || ${marked("¹", `${title}`)} || ${marked("²", `${author}`)} || ' ³' || ${row}.status`;
}
