import { newestOfAll } from "#platform/database/search/search.ts";
import { searchWords } from "#platform/database/search/search-words.ts";
import type { Member, Site } from "../site.ts";

export type SearchWordReferences = { words: string[]; stories: Set<string> };

export async function wordsOf(site: Site, { id, name }: Member): Promise<SearchWordReferences> {
  const rows = await site.db.selectFrom("posts").select(["id", "searchTitle", "searchAuthor"]).where("userId", "=", id).execute();
  const words = new Set(searchWords(name));
  for (const { searchTitle, searchAuthor } of rows) for (const word of `${searchTitle} ${searchAuthor}`.split(" ")) words.add(word);
  words.delete("");
  return { words: [...words], stories: new Set(rows.map((row) => row.id)) };
}

export async function forgetWords(site: Site, words: string[]): Promise<void> {
  for (const word of words) {
    const { rows } = await newestOfAll(site.engine, [{ forms: [word], isPrefix: false }], 1).execute(site.db);
    if (rows.length === 0) await site.db.deleteFrom("search_words").where("word", "=", word).execute();
  }
}
