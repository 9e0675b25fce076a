-- Words of stories without positions; those of the title again with the mark ¹, those of the author with ². Unpublished stories have
-- negative numbers, so that a search for published ones is a range scan. The tokenizer `ascii` splits at blanks only; prefixes of
-- three to ten characters, including the mark, are indexed.
create virtual table posts_search using fts5(
  words, content='', detail=none, columnsize=0, tokenize='ascii', prefix='3 4 5 6 7 8 9 10'
);

create view posts_search_rows (number, id, words) as
select number, iif(status = 'active', number, -number),
  "searchTitle" || ' ' || "searchAuthor" || ' ' || "searchText"
    || replace(' ' || "searchTitle", ' ', ' ¹') || replace(' ' || "searchAuthor", ' ', ' ²')
from posts;

insert into posts_search (rowid, words) select id, words from posts_search_rows;

create trigger posts_search_insert after insert on posts
begin
  insert into posts_search (rowid, words) select id, words from posts_search_rows where number = new.number;
end;

create trigger posts_search_delete before delete on posts
begin
  insert into posts_search (posts_search, rowid, words)
    select 'delete', id, words from posts_search_rows where number = old.number;
end;

create trigger posts_search_remove before update of "searchTitle", "searchAuthor", "searchText", status on posts
when (old."searchTitle", old."searchAuthor", old."searchText", old.status)
  <> (new."searchTitle", new."searchAuthor", new."searchText", new.status)
begin
  insert into posts_search (posts_search, rowid, words)
    select 'delete', id, words from posts_search_rows where number = old.number;
end;

create trigger posts_search_add after update of "searchTitle", "searchAuthor", "searchText", status on posts
when (old."searchTitle", old."searchAuthor", old."searchText", old.status)
  <> (new."searchTitle", new."searchAuthor", new."searchText", new.status)
begin
  insert into posts_search (rowid, words) select id, words from posts_search_rows where number = new.number;
end;
