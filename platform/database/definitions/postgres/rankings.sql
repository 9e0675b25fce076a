create or replace function rank_post() returns trigger language plpgsql as $$
declare
  -- Publishing sets the status before the date, in one transaction.
  date bigint := coalesce(new."publishedAt", new."createdAt");
begin
  if new.status <> 'active' then
    insert into draft_rankings (number, views, likes) values (new.number, new.views, new."likesCount");
  else
    insert into rankings (number, "publishedAt", day, views, likes, score, performance)
      values (new.number, date, date / 86400000, new.views, new."likesCount",
        new.views + 2 * new."likesCount", new.views + 5 * new."likesCount" + 3 * new."bookmarksCount");
  end if;
  return null;
end $$;

create or replace function unrank_post() returns trigger language plpgsql as $$
begin
  delete from rankings where number = old.number;
  delete from draft_rankings where number = old.number;
  return new;
end $$;

create trigger posts_rank_insert after insert on posts
for each row when (not is_copying()) execute function rank_post();

-- Before the update: a number that a ranking refers to can't change.
create trigger posts_rank_leave before update of status, "publishedAt", number on posts
for each row when (not is_copying()
  and (old.status, old."publishedAt", old.number) is distinct from (new.status, new."publishedAt", new.number))
execute function unrank_post();

create trigger posts_rank_move after update of status, "publishedAt", number on posts
for each row when (not is_copying()
  and (old.status, old."publishedAt", old.number) is distinct from (new.status, new."publishedAt", new.number))
execute function rank_post();

create or replace function rank_post_figures() returns trigger language plpgsql as $$
begin
  if new.status = 'active' then
    update rankings set views = new.views, likes = new."likesCount", score = new.views + 2 * new."likesCount",
      performance = new.views + 5 * new."likesCount" + 3 * new."bookmarksCount" where number = new.number;
  else
    update draft_rankings set views = new.views, likes = new."likesCount" where number = new.number;
  end if;
  return null;
end $$;

create trigger posts_rank_grow after update of views, "likesCount", "bookmarksCount" on posts
for each row when (not is_copying()
  and (old.status, old."publishedAt", old.number) is not distinct from (new.status, new."publishedAt", new.number))
execute function rank_post_figures();
