-- Variants of the words in titles and names, for SymSpell's correction of typos (typos.ts). The high cost makes the planner use the
-- index for few words, too: splitting the variants of all of them takes longer.
create or replace function variants_of(variants text) returns text[] language plpgsql immutable strict parallel safe cost 1000
as $$ begin return string_to_array(variants, ' '); end $$;

-- No pending list: every search would read it.
create index search_words_similar on search_words using gin (variants_of(variants)) with (fastupdate = off);
