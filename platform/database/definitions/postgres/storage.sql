-- Bytes that each member stores. While an account is being deleted its row is gone and must not be inserted again.
create or replace function change_storage(member text, file_bytes bigint, text_bytes bigint) returns void language sql as $$
  insert into member_storage ("userId", "fileBytes", "textBytes") select id, file_bytes, text_bytes from users where id = member
    on conflict ("userId") do update set
      "fileBytes" = member_storage."fileBytes" + excluded."fileBytes",
      "textBytes" = member_storage."textBytes" + excluded."textBytes";
$$;

-- `old` is null for an insert and `new` for a deletion.
create or replace function store_file() returns trigger language plpgsql as $$
begin
  perform change_storage(old."ownerId", -old.size, 0);
  perform change_storage(new."ownerId", new.size, 0);
  return null;
end $$;

create or replace function store_text() returns trigger language plpgsql as $$
begin
  perform change_storage(old."userId", 0, -octet_length(old.markdown));
  perform change_storage(new."userId", 0, octet_length(new.markdown));
  return null;
end $$;

create trigger files_storage after insert or delete on files
for each row when (not is_copying()) execute function store_file();

create trigger files_storage_update after update of "ownerId", size on files
for each row when (not is_copying() and (new."ownerId" is distinct from old."ownerId" or new.size <> old.size))
execute function store_file();

create trigger working_copies_storage after insert or delete on working_copies
for each row when (not is_copying()) execute function store_text();

create trigger working_copies_storage_update after update of "userId", markdown on working_copies
for each row when (not is_copying() and (new."userId" is distinct from old."userId" or octet_length(new.markdown) <> octet_length(old.markdown)))
execute function store_text();

create trigger versions_storage after insert or delete on versions
for each row when (not is_copying()) execute function store_text();

create trigger versions_storage_update after update of "userId", markdown on versions
for each row when (not is_copying() and (new."userId" is distinct from old."userId" or octet_length(new.markdown) <> octet_length(old.markdown)))
execute function store_text();
