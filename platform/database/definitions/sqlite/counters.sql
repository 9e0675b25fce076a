-- Triggers insert changes of counters into these views. `day` is null if only the total changes.
create view counter_changes (name, day, amount) as select null, null, null where false;

create trigger counter_changes_total instead of insert on counter_changes when new.amount <> 0
begin
  insert into counters (name, shard, value) values (new.name, 0, new.amount)
    on conflict (name, shard) do update set value = counters.value + excluded.value;
end;

create trigger counter_changes_daily instead of insert on counter_changes when new.amount <> 0 and new.day is not null
begin
  insert into daily_counters (name, day, shard, value) values (new.name, new.day, 0, new.amount)
    on conflict (name, day, shard) do update set value = daily_counters.value + excluded.value;
end;

-- While an account is being deleted its row is gone and must not be inserted again.
create view member_counter_changes ("userId", posts, published, "likesReceived", "messagesSent", chats)
as select null, null, null, null, null, null where false;

create trigger member_counter_changes_insert instead of insert on member_counter_changes
when exists (select 1 from users where id = new."userId")
begin
  insert into member_counters ("userId", posts, published, "likesReceived", "messagesSent", chats)
    values (new."userId", new.posts, new.published, new."likesReceived", new."messagesSent", new.chats)
    on conflict ("userId") do update set
      posts = member_counters.posts + excluded.posts,
      published = member_counters.published + excluded.published,
      "likesReceived" = member_counters."likesReceived" + excluded."likesReceived",
      "messagesSent" = member_counters."messagesSent" + excluded."messagesSent",
      chats = member_counters.chats + excluded.chats;
end;

-- Writers: members with a published story. Correspondents: members with a conversation that has messages.
create trigger member_counters_insert after insert on member_counters
begin
  insert into counter_changes values ('writers', null, new.published > 0), ('correspondents', null, new.chats > 0);
end;

create trigger member_counters_delete after delete on member_counters
begin
  insert into counter_changes values ('writers', null, -(old.published > 0)), ('correspondents', null, -(old.chats > 0));
end;

create trigger member_counters_update after update of published, chats on member_counters
when (new.published > 0) <> (old.published > 0) or (new.chats > 0) <> (old.chats > 0)
begin
  insert into counter_changes values
    ('writers', null, (new.published > 0) - (old.published > 0)), ('correspondents', null, (new.chats > 0) - (old.chats > 0));
end;

-- `sign` is 1 for an added story and -1 for a removed one. A published story counts on the day of its first publication, a draft on
-- that of its creation.
create view post_changes (sign, "userId", status, featured, pinned, views, "likesCount", day)
as select null, null, null, null, null, null, null, null where false;

create trigger post_changes_insert instead of insert on post_changes
begin
  insert into counter_changes values
    ('published', new.day, new.sign * (new.status = 'active')),
    ('drafts', new.day, new.sign * (new.status <> 'active')),
    ('featured', new.day, new.sign * new.featured),
    ('pinned', new.day, new.sign * new.pinned),
    ('publishedViews', null, new.sign * (new.status = 'active') * new.views),
    ('publishedLikes', null, new.sign * (new.status = 'active') * new."likesCount");
  insert into member_counter_changes
    values (new."userId", new.sign, new.sign * (new.status = 'active'), new.sign * (new.status = 'active') * new."likesCount", 0, 0);
end;

create trigger posts_count_insert after insert on posts
begin
  insert into post_changes
    values (1, new."userId", new.status, new.featured, new.pinned, new.views, new."likesCount",
      iif(new.status = 'active', coalesce(new."publishedAt", new."createdAt"), coalesce(new."createdAt", new."publishedAt")) / 86400000);
end;

create trigger posts_count_delete after delete on posts
begin
  insert into post_changes
    values (-1, old."userId", old.status, old.featured, old.pinned, old.views, old."likesCount",
      iif(old.status = 'active', coalesce(old."publishedAt", old."createdAt"), coalesce(old."createdAt", old."publishedAt")) / 86400000);
end;

create trigger posts_count_move after update of status, featured, pinned, "publishedAt", "createdAt", "userId" on posts
when (old.status, old.featured, old.pinned, old."publishedAt", old."createdAt", old."userId")
  is not (new.status, new.featured, new.pinned, new."publishedAt", new."createdAt", new."userId")
begin
  insert into post_changes values
    (-1, old."userId", old.status, old.featured, old.pinned, old.views, old."likesCount",
      iif(old.status = 'active', coalesce(old."publishedAt", old."createdAt"), coalesce(old."createdAt", old."publishedAt")) / 86400000),
    (1, new."userId", new.status, new.featured, new.pinned, new.views, new."likesCount",
      iif(new.status = 'active', coalesce(new."publishedAt", new."createdAt"), coalesce(new."createdAt", new."publishedAt")) / 86400000);
end;

create trigger posts_count_grow after update of views, "likesCount" on posts
when new.status = 'active' and (old.status, old.featured, old.pinned, old."publishedAt", old."createdAt", old."userId")
  is (new.status, new.featured, new.pinned, new."publishedAt", new."createdAt", new."userId")
begin
  insert into counter_changes
    values ('publishedViews', null, new.views - old.views), ('publishedLikes', null, new."likesCount" - old."likesCount");
  update member_counters set "likesReceived" = "likesReceived" + new."likesCount" - old."likesCount"
    where "userId" = new."userId" and new."likesCount" <> old."likesCount";
end;

create trigger users_count_insert after insert on users
begin
  insert into counter_changes values ('members', unixepoch(new."createdAt") / 86400, 1);
end;

create trigger users_count_delete after delete on users
begin
  insert into counter_changes values ('members', unixepoch(old."createdAt") / 86400, -1);
end;

create trigger users_count_move after update of "createdAt" on users when unixepoch(old."createdAt") / 86400 <> unixepoch(new."createdAt") / 86400
begin
  insert into counter_changes values ('members', unixepoch(old."createdAt") / 86400, -1), ('members', unixepoch(new."createdAt") / 86400, 1);
end;

create trigger likes_count_insert after insert on likes
begin
  insert into counter_changes values ('likes', new."createdAt" / 86400000, 1);
end;

create trigger likes_count_delete after delete on likes
begin
  insert into counter_changes values ('likes', old."createdAt" / 86400000, -1);
end;

create trigger likes_count_move after update of "createdAt" on likes when old."createdAt" / 86400000 <> new."createdAt" / 86400000
begin
  insert into counter_changes values ('likes', old."createdAt" / 86400000, -1), ('likes', new."createdAt" / 86400000, 1);
end;

create trigger bookmarks_count_insert after insert on bookmarks
begin
  insert into counter_changes values ('bookmarks', new."createdAt" / 86400000, 1);
end;

create trigger bookmarks_count_delete after delete on bookmarks
begin
  insert into counter_changes values ('bookmarks', old."createdAt" / 86400000, -1);
end;

create trigger bookmarks_count_move after update of "createdAt" on bookmarks when old."createdAt" / 86400000 <> new."createdAt" / 86400000
begin
  insert into counter_changes values ('bookmarks', old."createdAt" / 86400000, -1), ('bookmarks', new."createdAt" / 86400000, 1);
end;

create trigger messages_count_insert after insert on messages when not new.withheld
begin
  insert into counter_changes values ('messages', new."createdAt" / 86400000, 1);
  insert into member_counter_changes values (new."senderId", 0, 0, 0, 1, 0);
end;

create trigger messages_count_delete after delete on messages when not old.withheld
begin
  insert into counter_changes values ('messages', old."createdAt" / 86400000, -1);
  insert into member_counter_changes values (old."senderId", 0, 0, 0, -1, 0);
end;

create trigger messages_count_move after update of "createdAt" on messages when not new.withheld and old."createdAt" / 86400000 <> new."createdAt" / 86400000
begin
  insert into counter_changes values ('messages', old."createdAt" / 86400000, -1), ('messages', new."createdAt" / 86400000, 1);
end;

create trigger participants_count_insert after insert on participants
begin
  insert into counter_changes values ('unread', null, new."unreadCount");
  insert into member_counter_changes select new."userId", 0, 0, 0, 0, 1 where new."lastNumber" is not null;
end;

create trigger participants_count_delete after delete on participants
begin
  insert into counter_changes values ('unread', null, -old."unreadCount");
  insert into member_counter_changes select old."userId", 0, 0, 0, 0, -1 where old."lastNumber" is not null;
end;

create trigger participants_count_unread after update of "unreadCount" on participants
when new."unreadCount" <> old."unreadCount"
begin
  insert into counter_changes values ('unread', null, new."unreadCount" - old."unreadCount");
end;

create trigger participants_count_chats after update of "lastNumber" on participants
when (old."lastNumber" is null) <> (new."lastNumber" is null)
begin
  insert into member_counter_changes values (new."userId", 0, 0, 0, 0, iif(new."lastNumber" is null, -1, 1));
end;
