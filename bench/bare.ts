import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { WriteCase } from "./measure.ts";
import { memberOf, postOf } from "./posts.ts";

/** A worker's next action: adds a missing like or removes an existing one. */
export function alternateLikes(): (worker: number) => boolean {
  const liked = new Set<number>();
  return (worker) => {
    const likes = !liked.has(worker);
    if (likes) liked.add(worker);
    else liked.delete(worker);
    return likes;
  };
}

export type BareWriteCase = WriteCase & { close(): Promise<void> };

/** The statements of a like on SQLite itself, with one COMMIT each. */
export function bareSqlite(file: string): BareWriteCase {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  const [begin, commit] = [database.prepare("begin immediate"), database.prepare("commit")];
  const read = database.prepare('select status, "userId" from posts where id = ?');
  const add = database.prepare('insert into likes ("postId", "userId", "createdAt") values (?, ?, ?) on conflict do nothing');
  const remove = database.prepare('delete from likes where "postId" = ? and "userId" = ?');
  const count = database.prepare('update posts set "likesCount" = "likesCount" + ? where id = ?');
  const notify = database.prepare("insert into events (topic, type, data, \"createdAt\") values (?, 'likes.changed', '{}', ?)");
  const shouldLike = alternateLikes();
  return {
    async write(worker) {
      const [post, user, now, likes] = [postOf(worker), memberOf(worker).id, Date.now(), shouldLike(worker)];
      begin.run();
      read.get(post);
      if (likes) add.run(post, user, now);
      else remove.run(post, user);
      count.run(likes ? 1 : -1, post);
      notify.run(`post:${post}`, now);
      commit.run();
    },
    close: async () => database.close(),
  };
}

/** The same on PostgreSQL with node-postgres alone, with as many connections as the site. */
export function barePostgres(url: string, connections: number): BareWriteCase {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const shouldLike = alternateLikes();
  return {
    async write(worker) {
      const client = await pool.connect();
      const [post, user, now, likes] = [postOf(worker), memberOf(worker).id, Date.now(), shouldLike(worker)];
      try {
        await client.query("begin");
        await client.query('select status, "userId" from posts where id = $1 for update', [post]);
        if (likes)
          await client.query('insert into likes ("postId", "userId", "createdAt") values ($1, $2, $3) on conflict do nothing', [
            post,
            user,
            now,
          ]);
        else await client.query('delete from likes where "postId" = $1 and "userId" = $2', [post, user]);
        await client.query('update posts set "likesCount" = "likesCount" + $1 where id = $2', [likes ? 1 : -1, post]);
        await client.query(
          `with added as (insert into events (topic, type, data, "createdAt") values ($1, 'likes.changed', '{}', $2) returning number)
           select pg_notify('no_listener', '')`,
          [`post:${post}`, now],
        );
        await client.query("commit");
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
