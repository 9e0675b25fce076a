-- Indexed words of a story: its words; those of the title again with the mark ¹, those of the author with ²; prefixes of three to ten
-- characters with ⁴; with ⁵ the ranges of 1,024, 4,096 ... 1,048,576 numbers that its number is in. A tsvector is limited to a
-- megabyte: a longer text gets fewer prefixes. The high cost makes the planner use the index instead of calling the function.
create or replace function story_words(title text, author text, body text, number bigint) returns tsvector
language plpgsql immutable parallel safe cost 1000 as $$
declare
  names text[] := string_to_array(title || ' ' || author || replace(' ' || title, ' ', ' ¹') || replace(' ' || author, ' ', ' ²'), ' ');
  words text[] := array_remove(names || string_to_array(body, ' '), '');
  prefixes text[] := array(
    select distinct '⁴' || left(word, size) from unnest(words) word, generate_series(3, 10) size where char_length(word) >= size);
  of_names text[] := array(
    select distinct '⁴' || left(word, size) from unnest(names) word, generate_series(3, 10) size where char_length(word) >= size);
  ranges text[] := array(select '⁵' || level || ' ' || (number >> (8 + 2 * level)) from generate_series(1, 6) level);
begin
  if octet_length(array_to_string(words || prefixes, '')) > 1000000 then
    prefixes := of_names || array(select '⁴' || word from unnest(words) word where char_length(word) between 3 and 10);
  end if;
  if octet_length(array_to_string(words || prefixes, '')) > 1000000 then prefixes := of_names; end if;
  return array_to_tsvector(words || prefixes || ranges);
end $$;

-- No pending list: every search would read it, and one write in a hundred would wait for the merge.
create index posts_search on posts
using gin (story_words("searchTitle", "searchAuthor", "searchText", number)) with (fastupdate = off);

create view story_index as
select number, status, story_words("searchTitle", "searchAuthor", "searchText", number) as words from posts;

-- Numbers of at most `most` stories that match all clauses, published ones or all, in descending or ascending order, beyond the
-- number `beyond`. GIN returns matches in no order, so this is a keyset scan by ranges of numbers. It begins with short ranges and
-- estimates the next from the matches so far; once a range would exceed half of the rest, it searches all of the rest.
--   Each clause is a separate condition: GIN reads the list of the first and looks its entries up in the others, so the most frequent
-- one, the range, comes last; `&` within one condition would read the longest list for each entry of the shortest. `offset 0` and the
-- generic plan keep the planner, which has no statistics of words, from scanning all stories by number.
create or replace function find_stories(clauses text[], most integer, beyond bigint, upwards boolean, everything boolean)
returns setof bigint language plpgsql stable rows 100 set plan_cache_mode = force_generic_plan as $$
declare
  highest bigint := (select max(number) from posts);
  way integer := case when upwards then 1 else -1 end;
  start bigint := coalesce(beyond, case when upwards then 0 else highest + 1 end);
  last bigint := case when upwards then highest else 0 end;
  here bigint := start;
  -- The next ranges: which of the six lengths, that length as a power of two, the first range, and how many more.
  level integer := 1;
  bits integer;
  range bigint;
  more integer;
  -- Numbers left in the first range, and numbers estimated to contain the missing matches.
  rest bigint;
  wanted numeric := 2048;
  first tsquery[] := clauses[1:3]::tsquery[];
  conditions tsquery[];
  matches bigint[];
  numbers bigint[] := '{}';
begin
  if highest is null then return; end if;
  if cardinality(clauses) > 3 then first := first || array_to_string(clauses[4:], ' & ')::tsquery; end if;
  while (last - here) * way > 0 and cardinality(numbers) < most loop
    conditions := first;
    if level <= 6 then
      bits := 8 + 2 * level;
      range := here + way >> bits;
      rest := case when upwards then (range + 1 << bits) - 1 - here else here - (range << bits) end;
      more := greatest(0, ceil((wanted - rest) / (1 << bits)));
      conditions := conditions || (select string_agg(quote_literal('⁵' || level || ' ' || range + way * each), ' | ')
        from generate_series(0, more) each)::tsquery;
    end if;
    case cardinality(conditions)
      when 1 then matches := array(
        select number from (select s.number from story_index s where s.words @@ conditions[1]
          and (everything or s.status = 'active') offset 0) f
        where (number - here) * way > 0 order by number * way limit most - cardinality(numbers));
      when 2 then matches := array(
        select number from (select s.number from story_index s where s.words @@ conditions[1] and s.words @@ conditions[2]
          and (everything or s.status = 'active') offset 0) f
        where (number - here) * way > 0 order by number * way limit most - cardinality(numbers));
      when 3 then matches := array(
        select number from (select s.number from story_index s where s.words @@ conditions[1] and s.words @@ conditions[2] and s.words @@ conditions[3]
          and (everything or s.status = 'active') offset 0) f
        where (number - here) * way > 0 order by number * way limit most - cardinality(numbers));
      when 4 then matches := array(
        select number from (select s.number from story_index s where s.words @@ conditions[1] and s.words @@ conditions[2] and s.words @@ conditions[3] and s.words @@ conditions[4]
          and (everything or s.status = 'active') offset 0) f
        where (number - here) * way > 0 order by number * way limit most - cardinality(numbers));
      else matches := array(
        select number from (select s.number from story_index s where s.words @@ conditions[1] and s.words @@ conditions[2] and s.words @@ conditions[3] and s.words @@ conditions[4] and s.words @@ conditions[5]
          and (everything or s.status = 'active') offset 0) f
        where (number - here) * way > 0 order by number * way limit most - cardinality(numbers));
    end case;
    numbers := numbers || matches;
    exit when level > 6;
    here := here + way * (rest + (more::bigint << bits));
    wanted := abs(here - start) * greatest(0.25, 1.2 * (most - cardinality(numbers)) / (cardinality(numbers) + 1));
    level := case when wanted * 2 > abs(last - here) then 7 else greatest(1, ceil(log(4, wanted / 8192))::integer + 1) end;
  end loop;
  return query select unnest(numbers);
end $$;
