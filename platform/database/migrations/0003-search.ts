import { type Kysely, type Step, sql } from "./step.ts";

/**
 * Indexes over the words of stories, and a list of the words in titles and names, in which one that was mistyped is
 * looked up. The words come normalised (search-words.ts): no index here may have a view of its own on what a word is.
 */
export const search: Step = async (db, { engine, text, serial }) => {
  await db.schema
    .createTable("search_words")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("word", text, (c) => c.notNull().unique())
    .execute();
  await (engine === "sqlite" ? onSqlite(db) : onPostgres(db));
};

/** FTS5 kept by triggers. Its tokenizer `ascii` parts at blanks and takes every letter beyond ASCII for one. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create virtual table posts_search using fts5(
      "searchTitle", "searchAuthor", "searchText", content='posts', content_rowid='number', tokenize='ascii', prefix='2 3')`.execute(db);
  const remove = sql`insert into posts_search(posts_search, rowid, "searchTitle", "searchAuthor", "searchText")
    values ('delete', old.number, old."searchTitle", old."searchAuthor", old."searchText")`;
  const add = sql`insert into posts_search(rowid, "searchTitle", "searchAuthor", "searchText")
    values (new.number, new."searchTitle", new."searchAuthor", new."searchText")`;
  await sql`create trigger posts_search_insert after insert on posts begin ${add}; end`.execute(db);
  await sql`create trigger posts_search_delete after delete on posts begin ${remove}; end`.execute(db);
  await sql`create trigger posts_search_update after update of "searchTitle", "searchAuthor", "searchText" on posts
    begin ${remove}; ${add}; end`.execute(db);

  // By every three letters; a blank before and behind makes beginning and end count as well.
  await sql`create virtual table search_words_similar using fts5(word, content='', tokenize='trigram')`.execute(db);
  await sql`create trigger search_words_insert after insert on search_words
    begin insert into search_words_similar(rowid, word) values (new.number, ' ' || new.word || ' '); end`.execute(db);
  await sql`create trigger search_words_delete after delete on search_words
    begin insert into search_words_similar(search_words_similar, rowid, word) values ('delete', old.number, ' ' || old.word || ' ');
    end`.execute(db);
}

/** A tsvector made of the words as they are, and pg_trgm for words that are similar. */
async function onPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`alter table posts add column search tsvector generated always as (array_to_tsvector(array_remove(
    string_to_array("searchTitle" || ' ' || "searchAuthor" || ' ' || "searchText", ' '), ''))) stored`.execute(db);
  await sql`create index posts_search on posts using gin (search)`.execute(db);
  await sql`create index search_words_similar on search_words using gist (word gist_trgm_ops)`.execute(db);
}
