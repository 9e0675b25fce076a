-- A shard that no other running transaction writes to, so that counting never waits or deadlocks. Beyond 64 concurrent
-- transactions each connection has its own shard.
create or replace function counter_shard() returns integer language plpgsql as $$
declare
  shard integer := nullif(current_setting('inkstead.counter_shard', true), '')::integer;
begin
  if shard is not null then return shard; end if;
  for try in 0..63 loop
    shard := (pg_backend_pid() + try) % 64;
    exit when pg_try_advisory_xact_lock(1952541804, shard);
    shard := 64 + pg_backend_pid();
  end loop;
  perform set_config('inkstead.counter_shard', shard::text, true);
  return shard;
end $$;

-- `at_day` is null if only the total changes.
create or replace function change_counter(counter text, at_day integer, amount bigint) returns void language plpgsql as $$
begin
  if coalesce(amount, 0) = 0 then return; end if;
  insert into counters (name, shard, value) values (counter, counter_shard(), amount)
    on conflict (name, shard) do update set value = counters.value + excluded.value;
  if at_day is null then return; end if;
  insert into daily_counters (name, day, shard, value) values (counter, at_day, counter_shard(), amount)
    on conflict (name, day, shard) do update set value = daily_counters.value + excluded.value;
end $$;

-- While an account is being deleted its row is gone and must not be inserted again.
create or replace function change_member_counters(
  member text, more_posts integer, more_published integer, more_likes bigint, more_messages bigint, more_chats integer
) returns void language sql as $$
  insert into member_counters ("userId", posts, published, "likesReceived", "messagesSent", chats)
    select id, more_posts, more_published, more_likes, more_messages, more_chats from users where id = member
    on conflict ("userId") do update set
      posts = member_counters.posts + excluded.posts,
      published = member_counters.published + excluded.published,
      "likesReceived" = member_counters."likesReceived" + excluded."likesReceived",
      "messagesSent" = member_counters."messagesSent" + excluded."messagesSent",
      chats = member_counters.chats + excluded.chats;
$$;

-- Writers: members with a published story. Correspondents: members with a conversation that has messages.
create or replace function count_members() returns trigger language plpgsql as $$
begin
  perform change_counter('writers', null, coalesce(new.published > 0, false)::int - coalesce(old.published > 0, false)::int);
  perform change_counter('correspondents', null, coalesce(new.chats > 0, false)::int - coalesce(old.chats > 0, false)::int);
  return null;
end $$;

create trigger member_counters_change after insert or delete or update of published, chats on member_counters
for each row when (not is_copying()) execute function count_members();

-- `sign` is 1 for an added story and -1 for a removed one. A published story counts on the day of its first publication, a draft on
-- that of its creation.
create or replace function count_post(post posts, sign integer) returns void language plpgsql as $$
declare
  day integer := case post.status when 'active' then coalesce(post."publishedAt", post."createdAt")
    else coalesce(post."createdAt", post."publishedAt") end / 86400000;
  published integer := sign * (post.status = 'active')::int;
begin
  perform change_counter('published', day, published);
  perform change_counter('drafts', day, sign - published);
  perform change_counter('featured', day, sign * post.featured::int);
  perform change_counter('pinned', day, sign * post.pinned::int);
  perform change_counter('publishedViews', null, published * post.views);
  perform change_counter('publishedLikes', null, published * post."likesCount");
  perform change_member_counters(post."userId", sign, published, published * post."likesCount", 0, 0);
end $$;

create or replace function count_posts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_post(old, -1); end if;
  if tg_op <> 'DELETE' then perform count_post(new, 1); end if;
  return null;
end $$;

create trigger posts_count after insert or delete on posts
for each row when (not is_copying()) execute function count_posts();

create trigger posts_count_move after update of status, featured, pinned, "publishedAt", "createdAt", "userId" on posts
for each row when (not is_copying() and (old.status, old.featured, old.pinned, old."publishedAt", old."createdAt", old."userId")
  is distinct from (new.status, new.featured, new.pinned, new."publishedAt", new."createdAt", new."userId"))
execute function count_posts();

create or replace function count_post_figures() returns trigger language plpgsql as $$
begin
  perform change_counter('publishedViews', null, new.views - old.views);
  perform change_counter('publishedLikes', null, new."likesCount" - old."likesCount");
  update member_counters set "likesReceived" = "likesReceived" + new."likesCount" - old."likesCount"
    where "userId" = new."userId" and new."likesCount" <> old."likesCount";
  return null;
end $$;

create trigger posts_count_grow after update of views, "likesCount" on posts
for each row when (not is_copying() and new.status = 'active'
  and (old.status, old.featured, old.pinned, old."publishedAt", old."createdAt", old."userId")
    is not distinct from (new.status, new.featured, new.pinned, new."publishedAt", new."createdAt", new."userId"))
execute function count_post_figures();

create or replace function day_of(at bigint) returns integer language sql immutable as $$ select (at / 86400000)::integer $$;

create or replace function day_of(at timestamptz) returns integer language sql immutable
as $$ select floor(extract(epoch from at) / 86400)::integer $$;

-- Once per statement: deleting a story may delete a hundred thousand likes, and updating one row so often in a transaction is slow.
create or replace function count_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform change_counter(tg_argv[0], day, n) from (select day_of("createdAt") as day, count(*) as n from added group by 1) c;
  elsif tg_op = 'DELETE' then
    perform change_counter(tg_argv[0], day, -n) from (select day_of("createdAt") as day, count(*) as n from gone group by 1) c;
  else
    perform change_counter(tg_argv[0], day, sum(n)::bigint) from (
      select day_of("createdAt") as day, 1 as n from added union all select day_of("createdAt"), -1 from gone) c group by day;
  end if;
  return null;
end $$;

-- Ordered by id, so that two transactions that count for the same members don't deadlock.
create or replace function count_messages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform change_counter('messages', day, n) from (
      select day_of("createdAt") as day, count(*) as n from added where not withheld group by 1) c;
    perform change_member_counters(id, 0, 0, 0, n, 0) from (
      select "senderId" as id, count(*) as n from added where not withheld group by 1 order by 1) c;
  else
    perform change_counter('messages', day, -n) from (
      select day_of("createdAt") as day, count(*) as n from gone where not withheld group by 1) c;
    perform change_member_counters(id, 0, 0, 0, -n, 0) from (
      select "senderId" as id, count(*) as n from gone where not withheld group by 1 order by 1) c;
  end if;
  return null;
end $$;

create trigger messages_count_insert after insert on messages referencing new table as added
for each statement when (not is_copying()) execute function count_messages();

create trigger messages_count_delete after delete on messages referencing old table as gone
for each statement when (not is_copying()) execute function count_messages();

create trigger users_count_insert after insert on users referencing new table as added
for each statement when (not is_copying()) execute function count_rows('members');

create trigger users_count_delete after delete on users referencing old table as gone
for each statement when (not is_copying()) execute function count_rows('members');

create trigger users_count_update after update on users referencing old table as gone new table as added
for each statement when (not is_copying()) execute function count_rows('members');

create trigger likes_count_insert after insert on likes referencing new table as added
for each statement when (not is_copying()) execute function count_rows('likes');

create trigger likes_count_delete after delete on likes referencing old table as gone
for each statement when (not is_copying()) execute function count_rows('likes');

create trigger likes_count_update after update on likes referencing old table as gone new table as added
for each statement when (not is_copying()) execute function count_rows('likes');

create trigger bookmarks_count_insert after insert on bookmarks referencing new table as added
for each statement when (not is_copying()) execute function count_rows('bookmarks');

create trigger bookmarks_count_delete after delete on bookmarks referencing old table as gone
for each statement when (not is_copying()) execute function count_rows('bookmarks');

create trigger bookmarks_count_update after update on bookmarks referencing old table as gone new table as added
for each statement when (not is_copying()) execute function count_rows('bookmarks');

create or replace function move_message() returns trigger language plpgsql as $$
begin
  perform change_counter('messages', day_of(old."createdAt"), -1);
  perform change_counter('messages', day_of(new."createdAt"), 1);
  return null;
end $$;

create trigger messages_count_move after update of "createdAt" on messages for each row
when (not is_copying() and not new.withheld and day_of(old."createdAt") <> day_of(new."createdAt")) execute function move_message();

create or replace function count_participants() returns trigger language plpgsql as $$
declare
  chats integer := (new."lastNumber" is not null)::int - (old."lastNumber" is not null)::int;
begin
  perform change_counter('unread', null, coalesce(new."unreadCount", 0) - coalesce(old."unreadCount", 0));
  if chats <> 0 then perform change_member_counters(coalesce(new."userId", old."userId"), 0, 0, 0, 0, chats); end if;
  return null;
end $$;

create trigger participants_count after insert or delete or update of "unreadCount", "lastNumber" on participants
for each row when (not is_copying()) execute function count_participants();
