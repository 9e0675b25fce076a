import { expect, test } from "vitest";
import { CacheInvalidation } from "./cache-invalidation.ts";

test.each([
  ...['select "id" from "posts" for update', 'insert into "likes" ("postId") values (?)', 'delete from "views" where "endsAt" < ?'],
  'update "posts" set "likesCount" = "likesCount" + ? where "id" = ? returning "likesCount" as "count"',
  'update "posts" set "views" = "views" + $1 where "id" = $2',
  `with "added" as (insert into "events" ("topic") values ($1)) select pg_notify($2, '')`,
  "insert into messages (id) values (1)",
  'update "jobs" set "dueAt" = $1 where "name" = $2',
])("takes nothing out of sight: %s", (sql) => expect(CacheInvalidation.mayHideContent(sql)).toBe(false));

test.each([
  ...['update "posts" set "status" = ? where "id" = ?', 'update "posts" set "likesCount" = "likesCount" + ?, "status" = ? where "id" = ?'],
  ...[
    'delete from "posts"',
    'update "users" set "name" = ?',
    'insert into "suspensions" values (?)',
    'update "page_texts" set "title" = ?',
  ],
  ...["with gone as (select 1) delete from posts", "update posts set title = 'x'", "vacuum", 'delete from "likes_of_nobody"'],
  "insert into messages_of_all (id) values (1)",
])("may hide content: %s", (sql) => expect(CacheInvalidation.mayHideContent(sql)).toBe(true));
