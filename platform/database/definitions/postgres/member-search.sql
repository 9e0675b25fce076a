-- Trigram index of each member's name and email address, without accents.
create extension if not exists pg_trgm;

create extension if not exists unaccent;

create index member_search on member_texts using gin (text gin_trgm_ops) with (fastupdate = off);

create or replace function member_text(name text, email text) returns text language plpgsql stable
as $$ begin return lower(unaccent(name || ' ' || email)); end $$;

create or replace function add_member_text() returns trigger language plpgsql as $$
begin
  insert into member_texts ("userId", text) values (new.id, member_text(new.name, new.email));
  return null;
end $$;

create trigger member_texts_insert after insert on users
for each row when (not is_copying()) execute function add_member_text();

create or replace function change_member_account() returns trigger language plpgsql as $$
begin
  update member_texts
    set text = member_text(coalesce((select p."userName" from profiles p where p."userId" = new.id), new.name), new.email)
    where "userId" = new.id;
  return null;
end $$;

create trigger member_texts_account after update of name, email on users
for each row when (not is_copying() and (old.name, old.email) <> (new.name, new.email)) execute function change_member_account();

create or replace function change_member_name() returns trigger language plpgsql as $$
begin
  update member_texts set text = member_text(new."userName", (select u.email from users u where u.id = new."userId"))
    where "userId" = new."userId";
  return null;
end $$;

create trigger member_texts_profile after insert on profiles
for each row when (not is_copying()) execute function change_member_name();

create trigger member_texts_rename after update of "userName" on profiles
for each row when (not is_copying() and old."userName" <> new."userName") execute function change_member_name();
