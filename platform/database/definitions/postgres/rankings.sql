create or replace function rank_post() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from rankings where number = old.number;
    delete from draft_rankings where number = old.number;
  end if;
  if new.status = 'active' then
    insert into rankings (number, "createdAt", day, views, likes, score, performance)
      values (new.number, new."createdAt", new."createdAt" / 86400000, new.views, new."likesCount",
        new.views + 2 * new."likesCount", new.views + 5 * new."likesCount" + 3 * new."bookmarksCount");
  else
    insert into draft_rankings (number, views, likes) values (new.number, new.views, new."likesCount");
  end if;
  return null;
end $$;

create trigger posts_rank_insert after insert on posts
for each row when (not is_copying()) execute function rank_post();

create trigger posts_rank_move after update of status, "createdAt" on posts
for each row when (not is_copying() and (old.status, old."createdAt") <> (new.status, new."createdAt"))
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
for each row when (not is_copying() and (old.status, old."createdAt") = (new.status, new."createdAt"))
execute function rank_post_figures();
