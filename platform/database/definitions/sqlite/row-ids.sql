-- SQLite can't add a column whose default is an expression.
create trigger likes_give_id after insert on likes when new.id is null
begin
  update likes set id = lower(hex(randomblob(10))) where rowid = new.rowid;
end;

create trigger bookmarks_give_id after insert on bookmarks when new.id is null
begin
  update bookmarks set id = lower(hex(randomblob(10))) where rowid = new.rowid;
end;

create trigger follows_give_id after insert on follows when new.id is null
begin
  update follows set id = lower(hex(randomblob(10))) where rowid = new.rowid;
end;
