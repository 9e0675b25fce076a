import { type Step, sql } from "./step.ts";

/**
 * `stories_found` (0021) took two stretches four times as long as the last ones where those held too few, and looked through them
 * from the beginning. Now it goes on behind them, with as many stretches as should hold what is missing. And words are put into
 * their indexes at once: those that wait for a batch were looked through by every search, and one writer in a hundred paid for
 * the batch with seconds.
 */
export const searchSteps: Step = async (db, { engine }) => {
  if (engine !== "postgres") return;
  await sql.raw(storiesFound).execute(db);
  for (const index of ["posts_search", "member_search"]) {
    await sql.raw(`alter index ${index} set (fastupdate = off)`).execute(db);
    await sql.raw(`select gin_clean_pending_list('${index}')`).execute(db);
  }
};

/** Of 1,024 numbers, of four times as many, and so on to a million. */
const levels = 6;
const words = `story_words(p."searchTitle", p."searchAuthor", p."searchText", p.number)`;

const storiesFound = `
  create or replace function stories_found(clauses text[], most integer, beyond bigint, upwards boolean, everything boolean)
  returns setof bigint language plpgsql stable rows 100 set plan_cache_mode = force_generic_plan as $$
  declare
    first tsquery := clauses[1]::tsquery;
    second tsquery := clauses[2]::tsquery;
    third tsquery := clauses[3]::tsquery;
    others tsquery := nullif(array_to_string(clauses[4:], ' & '), '')::tsquery;
    highest bigint := (select max(p.number) from posts p);
    way integer := case when upwards then 1 else -1 end;
    start bigint := coalesce(beyond, case when upwards then 0 else highest + 1 end);
    here bigint := start;
    far bigint := case when upwards then highest else 0 end;
    level integer := 1;
    more integer;
    shift integer;
    stretches tsquery;
    stretch bigint;
    rest bigint;
    wanted numeric := 2048;
    numbers bigint[] := '{}';
  begin
    if highest is null then return; end if;
    while (far - here) * way > 0 and cardinality(numbers) < most loop
      if level > ${levels} then
        ${found()}
        exit;
      end if;
      shift := 8 + 2 * level;
      stretch := here + way >> shift;
      rest := case when upwards then (stretch + 1 << shift) - 1 - here else here - (stretch << shift) end;
      more := greatest(0, ceil((wanted - rest) / (1 << shift)));
      stretches := (select string_agg(quote_literal('⁵' || level || ' ' || stretch + way * each), ' | ')
        from generate_series(0, more) each)::tsquery;
      ${found("stretches")}
      here := here + way * (rest + (more::bigint << shift));
      wanted := abs(here - start) * greatest(0.25, 1.2 * (most - cardinality(numbers)) / (cardinality(numbers) + 1));
      level := case when wanted * 2 > abs(far - here) then ${levels} + 1 else greatest(1, ceil(log(4, wanted / 8192))::integer + 1) end;
    end loop;
    return query select unnest(numbers);
  end $$`;

/**
 * A condition for each clause, those that hold for most stories last: GIN goes through the first one's list, and looks up in the
 * others what it has come to.
 */
function found(...last: string[]): string {
  const clauses = ["first", "second", "third", "others"];
  const branches = clauses.slice(1).map((next, index) => `when ${next} is null then ${foundBy([...clauses.slice(0, index + 1), ...last])}`);
  return `case ${branches.join("\n        ")}\n        else ${foundBy([...clauses, ...last])} end case;`;
}

/** Found first and put in order then: otherwise all stories might be gone through in the order of their numbers. */
function foundBy(queries: string[]): string {
  const all = queries.map((each) => `${words} @@ ${each}`).join(" and ");
  return `numbers := numbers || array(
          select f.number from (select p.number from posts p where ${all} and (everything or p.status = 'active') offset 0) f
          where (f.number - here) * way > 0 order by f.number * way limit most - cardinality(numbers));`;
}
