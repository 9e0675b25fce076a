-- The variants of the words in titles and names, by which SymSpell finds a mistyped one (typos.ts). The cost lets the planner use
-- the index where there are few words, too: splitting the variants of all of them takes longer.
create or replace function variants_of(variants text) returns text[] language plpgsql immutable strict parallel safe cost 1000
as $$ begin return string_to_array(variants, ' '); end $$;

-- No list of pending entries: every search would read it.
create index search_words_similar on search_words using gin (variants_of(variants)) with (fastupdate = off);
