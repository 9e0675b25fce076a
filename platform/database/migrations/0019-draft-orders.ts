import { createTrigger, type Step, sql } from "./step.ts";

/**
 * The figures of unpublished stories, which administrators sort as well: beside the stories, for the reason that those of
 * published ones are (0007).
 */
export const draftOrders: Step = async (db, { engine }) => {
  await db.schema
    .createTable("draft_rankings")
    // Not `integer` on SQLite (0007).
    .addColumn("number", "bigint", (c) => c.primaryKey().references("posts.number").onDelete("cascade"))
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("likes", "integer", (c) => c.notNull())
    .execute();
  await sql.raw(`insert into draft_rankings ${figures("p")} from posts p where ${hidden("p")}`).execute(db);
  for (const column of ["views", "likes"])
    await db.schema.createIndex(`draft_rankings_${column}`).on("draft_rankings").columns([column, "number"]).execute();

  const [moved, grown] = ["old.status <> new.status", 'update of views, "likesCount" on posts'];
  await createTrigger(db, engine, {
    name: "draft_rankings_insert",
    on: "insert on posts",
    when: hidden("new"),
    does: `insert into draft_rankings ${figures("new")};`,
  });
  await createTrigger(db, engine, {
    name: "draft_rankings_move",
    on: "update of status on posts",
    when: moved,
    does: `delete from draft_rankings where number = old.number; insert into draft_rankings ${figures("new")} where ${hidden("new")};`,
  });
  await createTrigger(db, engine, {
    name: "draft_rankings_grow",
    on: grown,
    when: `${hidden("new")} and not (${moved})`,
    does: `update draft_rankings set views = new.views, likes = new."likesCount" where number = new.number;`,
  });
};

const hidden = (row: string) => `(${row}.status <> 'active')`;
const figures = (row: string) => `(number, views, likes) select ${row}.number, ${row}.views, ${row}."likesCount"`;
