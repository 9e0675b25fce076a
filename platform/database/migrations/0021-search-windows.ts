import { type Kysely, type Step, sql } from "./step.ts";

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/**
 * On PostgreSQL the index of words holds beginnings of words and stretches of numbers as well. Its own way with a beginning is
 * to gather all stories of all words that begin so; and it gives what it finds in no order, so the newest of a common word
 * were sought among all stories, or all that have it were put in order.
 */
export const searchWindows: Step = async (db, { engine }) => {
  if (engine !== "postgres") return;
  await run(db, storyWords);
  await run(db, "alter table posts drop column search");
  await run(db, `create index posts_search on posts using gin (${wordsOf("posts")})`);
  await run(db, storiesFound);
};

function beginningsOf(words: string): string {
  return `array(
      select distinct '⁴' || left(word, size) from unnest(${words}) word, generate_series(3, 10) size where char_length(word) >= size)`;
}

const wordsOf = (row: string) =>
  `story_words(${["searchTitle", "searchAuthor", "searchText"].map((column) => `${row}."${column}"`).join(", ")}, ${row}.number)`;

/** Stretches of 1,024 numbers, of four times as many, and so on to a million. */
const levels = 6;
/** So many stories are sooner found all at once. */
const fewAtAll = 1_000;
const stretchOf = (number: string, level: string) => `('⁵' || ${level} || ' ' || (${number} >> (8 + 2 * ${level})))`;

/**
 * The words of a story; behind marks those of title and author as 0007 put them in, beginnings of three to ten letters,
 * and the stretches that its number is in. A tsvector ends at a megabyte: of a text that would fill one, only
 * whole words are beginnings, or none. Dear to compute, so that nothing but the index does.
 */
const storyWords = `
  create function story_words(title text, author text, body text, number bigint) returns tsvector
  language plpgsql immutable parallel safe cost 1000 as $$
  declare
    names text[] := string_to_array(title || ' ' || author || replace(' ' || title, ' ', ' ¹') || replace(' ' || author, ' ', ' ²'), ' ');
    words text[] := array_remove(names || string_to_array(body, ' '), '');
    beginnings text[] := ${beginningsOf("words")};
    stretches text[] := array(select ${stretchOf("number", "level")} from generate_series(1, ${levels}) level);
  begin
    if octet_length(array_to_string(words || beginnings, '')) > 1000000 then
      beginnings := ${beginningsOf("names")} || array(select '⁴' || word from unnest(words) word where char_length(word) between 3 and 10);
    end if;
    if octet_length(array_to_string(words || beginnings, '')) > 1000000 then beginnings := ${beginningsOf("names")}; end if;
    return array_to_tsvector(words || beginnings || stretches);
  end $$`;

/**
 * The numbers of the stories that answer all clauses, the highest first, or the lowest: `most` of them, below the number `beyond`
 * or above it; all stories, or only published ones. It looks into the two short stretches where the list begins, and when there
 * are too few, into those so much longer that there should be enough: the index brings what is in both the words' lists and the
 * stretches', never many times what is asked for. Where there are few at all, they are found at once. Clauses are conditions of
 * their own, which GIN goes through in turns: within one it would go through the longest list for every entry of the shortest.
 */
const storiesFound = `
  create function stories_found(clauses text[], most integer, beyond bigint, upwards boolean, everything boolean) returns setof bigint
  language plpgsql stable rows 100 as $$
  declare
    first tsquery := clauses[1]::tsquery;
    second tsquery := coalesce(clauses[2]::tsquery, first);
    third tsquery := coalesce(clauses[3]::tsquery, first);
    others tsquery := coalesce(nullif(array_to_string(clauses[4:], ' & '), '')::tsquery, first);
    stretches tsquery;
    highest bigint := (select max(p.number) from posts p);
    way integer := case when upwards then 1 else -1 end;
    start bigint := coalesce(beyond, case when upwards then 0 else highest + 1 end);
    level integer := 1;
    near bigint;
    far bigint;
    held numeric;
    numbers bigint[];
  begin
    if highest is null then return; end if;
    loop
      near := start + way;
      far := near + way * (1 << (8 + 2 * level));
      if level > ${levels} then
        ${foundIn("first")}
      else
        stretches := (quote_literal(${stretchOf("near", "level")}) || ' | ' || quote_literal(${stretchOf("far", "level")}))::tsquery;
        ${foundIn("stretches")}
      end if;
      exit when cardinality(numbers) = most or level > ${levels};
      exit when (upwards and far >> (8 + 2 * level) >= highest >> (8 + 2 * level)) or (not upwards and far < 0);
      held := greatest(cardinality(numbers), 0.5);
      level := case when held * (highest >> (9 + 2 * level)) < ${fewAtAll} then ${levels} + 1
        else level + greatest(1, ceil(log(4, 1.5 * most / held))::integer) end;
    end loop;
    return query select unnest(numbers);
  end $$`;

/** Found first and put in order then: otherwise all stories might be gone through in the order of their numbers. */
function foundIn(query: string): string {
  const all = [query, "first", "second", "third", "others"].map((each) => `${wordsOf("p")} @@ ${each}`).join(" and ");
  return `numbers := array(
          select f.number from (select p.number from posts p where ${all} and (everything or p.status = 'active') offset 0) f
          where (f.number - start) * way > 0 order by f.number * way limit most);`;
}
