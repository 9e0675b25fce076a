-- The first publication gives a story the next number. Separate from story-search.sql, a change of which rebuilds the whole index.
create trigger posts_search_renumber_remove before update of number on posts
when old.number <> new.number and (old."searchTitle", old."searchAuthor", old."searchText", old.status)
  = (new."searchTitle", new."searchAuthor", new."searchText", new.status)
begin
  insert into posts_search (posts_search, rowid, words)
    select 'delete', id, words from posts_search_rows where number = old.number;
end;

create trigger posts_search_renumber_add after update of number on posts
when old.number <> new.number and (old."searchTitle", old."searchAuthor", old."searchText", old.status)
  = (new."searchTitle", new."searchAuthor", new."searchText", new.status)
begin
  insert into posts_search (rowid, words) select id, words from posts_search_rows where number = new.number;
end;
