-- Trigram index of each member's name and email address, without accents.
create virtual table member_search using fts5(text, content='', tokenize='trigram remove_diacritics 1');

insert into member_search (rowid, text) select number, text from member_texts;

create trigger member_search_insert after insert on member_texts
begin
  insert into member_search (rowid, text) values (new.number, new.text);
end;

create trigger member_search_delete after delete on member_texts
begin
  insert into member_search (member_search, rowid, text) values ('delete', old.number, old.text);
end;

create trigger member_search_update after update of text on member_texts
begin
  insert into member_search (member_search, rowid, text) values ('delete', old.number, old.text);
  insert into member_search (rowid, text) values (new.number, new.text);
end;

create trigger member_texts_insert after insert on users
begin
  insert into member_texts ("userId", text) values (new.id, lower(new.name || ' ' || new.email));
end;

create trigger member_texts_account after update of name, email on users when old.name <> new.name or old.email <> new.email
begin
  update member_texts
    set text = lower(coalesce((select "userName" from profiles where "userId" = new.id), new.name) || ' ' || new.email)
    where "userId" = new.id;
end;

create trigger member_texts_profile after insert on profiles
begin
  update member_texts set text = lower(new."userName" || ' ' || (select email from users where id = new."userId"))
    where "userId" = new."userId";
end;

create trigger member_texts_rename after update of "userName" on profiles when old."userName" <> new."userName"
begin
  update member_texts set text = lower(new."userName" || ' ' || (select email from users where id = new."userId"))
    where "userId" = new."userId";
end;
