-- Variants of the words in titles and names, for SymSpell's correction of typos (typos.ts).
create virtual table search_words_similar using fts5(variants, content='', tokenize='ascii', detail='none', columnsize=0);

insert into search_words_similar (rowid, variants) select number, variants from search_words;

create trigger search_words_insert after insert on search_words
begin
  insert into search_words_similar (rowid, variants) values (new.number, new.variants);
end;

create trigger search_words_delete after delete on search_words
begin
  insert into search_words_similar (search_words_similar, rowid, variants) values ('delete', old.number, old.variants);
end;
