-- Publishing sets the status before the date, in one transaction.
create trigger posts_rank_insert after insert on posts
begin
  insert into rankings (number, "publishedAt", day, views, likes, score, performance)
    select new.number, coalesce(new."publishedAt", new."createdAt"), coalesce(new."publishedAt", new."createdAt") / 86400000,
      new.views, new."likesCount", new.views + 2 * new."likesCount",
      new.views + 5 * new."likesCount" + 3 * new."bookmarksCount" where new.status = 'active';
  insert into draft_rankings (number, views, likes) select new.number, new.views, new."likesCount" where new.status <> 'active';
end;

create trigger posts_rank_move after update of status, "publishedAt", number on posts
when (old.status, old."publishedAt", old.number) is not (new.status, new."publishedAt", new.number)
begin
  delete from rankings where number = old.number;
  delete from draft_rankings where number = old.number;
  insert into rankings (number, "publishedAt", day, views, likes, score, performance)
    select new.number, coalesce(new."publishedAt", new."createdAt"), coalesce(new."publishedAt", new."createdAt") / 86400000,
      new.views, new."likesCount", new.views + 2 * new."likesCount",
      new.views + 5 * new."likesCount" + 3 * new."bookmarksCount" where new.status = 'active';
  insert into draft_rankings (number, views, likes) select new.number, new.views, new."likesCount" where new.status <> 'active';
end;

create trigger posts_rank_grow after update of views, "likesCount", "bookmarksCount" on posts
when (old.status, old."publishedAt", old.number) is (new.status, new."publishedAt", new.number)
begin
  update rankings set views = new.views, likes = new."likesCount", score = new.views + 2 * new."likesCount",
    performance = new.views + 5 * new."likesCount" + 3 * new."bookmarksCount"
    where number = new.number and new.status = 'active';
  update draft_rankings set views = new.views, likes = new."likesCount" where number = new.number and new.status <> 'active';
end;
