-- Bytes that each member stores. Triggers insert the changes. While an account is being deleted its row is gone and must not be
-- inserted again.
create view storage_changes ("userId", "fileBytes", "textBytes") as select null, null, null where false;

create trigger storage_changes_insert instead of insert on storage_changes
when exists (select 1 from users where id = new."userId")
begin
  insert into member_storage ("userId", "fileBytes", "textBytes") values (new."userId", new."fileBytes", new."textBytes")
    on conflict ("userId") do update set
      "fileBytes" = member_storage."fileBytes" + excluded."fileBytes",
      "textBytes" = member_storage."textBytes" + excluded."textBytes";
end;

create trigger files_storage_insert after insert on files
begin
  insert into storage_changes values (new."ownerId", new.size, 0);
end;

create trigger files_storage_delete after delete on files
begin
  insert into storage_changes values (old."ownerId", -old.size, 0);
end;

create trigger files_storage_update after update of "ownerId", size on files
when new."ownerId" is distinct from old."ownerId" or new.size <> old.size
begin
  insert into storage_changes values (old."ownerId", -old.size, 0), (new."ownerId", new.size, 0);
end;

create trigger working_copies_storage_insert after insert on working_copies
begin
  insert into storage_changes values (new."userId", 0, octet_length(new.markdown));
end;

create trigger working_copies_storage_delete after delete on working_copies
begin
  insert into storage_changes values (old."userId", 0, -octet_length(old.markdown));
end;

create trigger working_copies_storage_update after update of "userId", markdown on working_copies
when new."userId" is distinct from old."userId" or octet_length(new.markdown) <> octet_length(old.markdown)
begin
  insert into storage_changes values (old."userId", 0, -octet_length(old.markdown)), (new."userId", 0, octet_length(new.markdown));
end;

create trigger versions_storage_insert after insert on versions
begin
  insert into storage_changes values (new."userId", 0, octet_length(new.markdown));
end;

create trigger versions_storage_delete after delete on versions
begin
  insert into storage_changes values (old."userId", 0, -octet_length(old.markdown));
end;

create trigger versions_storage_update after update of "userId", markdown on versions
when new."userId" is distinct from old."userId" or octet_length(new.markdown) <> octet_length(old.markdown)
begin
  insert into storage_changes values (old."userId", 0, -octet_length(old.markdown)), (new."userId", 0, octet_length(new.markdown));
end;
