create trigger posts_rank_insert after insert on posts
begin
  insert into rankings (number, "createdAt", day, views, likes, score, performance)
    select new.number, new."createdAt", new."createdAt" / 86400000, new.views, new."likesCount",
      new.views + 2 * new."likesCount", new.views + 5 * new."likesCount" + 3 * new."bookmarksCount" where new.status = 'active';
  insert into draft_rankings (number, views, likes) select new.number, new.views, new."likesCount" where new.status <> 'active';
end;

create trigger posts_rank_move after update of status, "createdAt" on posts
when old.status <> new.status or old."createdAt" <> new."createdAt"
begin
  delete from rankings where number = old.number;
  delete from draft_rankings where number = old.number;
  insert into rankings (number, "createdAt", day, views, likes, score, performance)
    select new.number, new."createdAt", new."createdAt" / 86400000, new.views, new."likesCount",
      new.views + 2 * new."likesCount", new.views + 5 * new."likesCount" + 3 * new."bookmarksCount" where new.status = 'active';
  insert into draft_rankings (number, views, likes) select new.number, new.views, new."likesCount" where new.status <> 'active';
end;

create trigger posts_rank_grow after update of views, "likesCount", "bookmarksCount" on posts
when old.status = new.status and old."createdAt" = new."createdAt"
begin
  update rankings set views = new.views, likes = new."likesCount", score = new.views + 2 * new."likesCount",
    performance = new.views + 5 * new."likesCount" + 3 * new."bookmarksCount"
    where number = new.number and new.status = 'active';
  update draft_rankings set views = new.views, likes = new."likesCount" where number = new.number and new.status <> 'active';
end;
