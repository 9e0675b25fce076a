import { type Step, sql } from "./step.ts";

/** Full-text search over title, author and text: FTS5 kept by triggers, or a generated tsvector column. */
export const search: Step = async (db, { engine }) => {
  if (engine === "sqlite") {
    await sql`
      create virtual table posts_search using fts5(
        title, "userName", "plainText", content='posts', content_rowid='number',
        tokenize="unicode61 remove_diacritics 2", prefix='2 3')`.execute(db);
    const remove = sql`insert into posts_search(posts_search, rowid, title, "userName", "plainText")
      values ('delete', old.number, old.title, old."userName", old."plainText")`;
    const add = sql`insert into posts_search(rowid, title, "userName", "plainText")
      values (new.number, new.title, new."userName", new."plainText")`;
    await sql`create trigger posts_search_insert after insert on posts begin ${add}; end`.execute(db);
    await sql`create trigger posts_search_delete after delete on posts begin ${remove}; end`.execute(db);
    await sql`create trigger posts_search_update after update of title, "userName", "plainText" on posts
      begin ${remove}; ${add}; end`.execute(db);
    return;
  }
  await sql`create extension if not exists unaccent`.execute(db);
  await sql`create text search configuration plain_words (copy = simple)`.execute(db);
  await sql`alter text search configuration plain_words alter mapping for hword, hword_part, word with unaccent, simple`.execute(db);
  await sql`alter table posts add column search tsvector generated always as (
    setweight(to_tsvector('plain_words', title), 'A') || setweight(to_tsvector('plain_words', "userName"), 'B') ||
    setweight(to_tsvector('plain_words', "plainText"), 'C')) stored`.execute(db);
  await sql`create index posts_search on posts using gin (search)`.execute(db);
};
