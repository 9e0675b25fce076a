import { type ColumnTypes, type Kysely, type Step, sql } from "./step.ts";

export const files: Step = async (db, types) => {
  await renameForeignCopies(db);
  await countStorage(db, types);
  await keepFetchedPictures(db, types);
  await db.schema.createIndex("files_newest").on("files").columns(["createdAt", "id"]).execute();
  await db.schema.createIndex("files_largest").on("files").columns(["size", "id"]).execute();
};

/** Stories' copies of external pictures, by the address in the text; and stories whose pictures are still to be fetched. */
async function keepFetchedPictures(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("fetched_pictures")
    .addColumn("postId", text, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addColumn("address", text, (c) => c.notNull())
    .addColumn("fileId", text, (c) => c.notNull().references("files.id").onDelete("cascade"))
    // The copy that the story's HTML shows.
    .addColumn("shownAs", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("fetched_pictures_key", ["postId", "address"])
    .execute();
  await db.schema.createIndex("fetched_pictures_file").on("fetched_pictures").column("fileId").execute();
  await db.schema
    .createTable("picture_queue")
    .addColumn("postId", text, (c) => c.primaryKey().notNull().references("posts.id").onDelete("cascade"))
    .execute();
  await sql
    .raw(`insert into picture_queue ("postId") select id from posts where content like '%<img %' or content like '%<source %'`)
    .execute(db);
}

/**
 * Storage used by each member, in bytes: files, including running uploads by their declared size; and working copies and versions. And
 * the bytes uploaded in the hour that ends at `hourEndsAt`.
 */
async function countStorage(db: Kysely<unknown>, { engine, text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("member_storage")
    .addColumn("userId", text, (c) => c.primaryKey().notNull().references("users.id").onDelete("cascade"))
    .addColumn("fileBytes", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("textBytes", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("hourBytes", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("hourEndsAt", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  const lengthOf = (column: string) => (engine === "sqlite" ? `length(cast(${column} as blob))` : `octet_length(${column})`);
  const texts = ["working_copies", "versions"].map((table) => `select "userId", ${lengthOf("markdown")} as bytes from ${table}`);
  await sql
    .raw(
      `insert into member_storage ("userId", "fileBytes", "textBytes")
       select u.id, coalesce(f.bytes, 0), coalesce(t.bytes, 0) from users u
       left join (select "ownerId", sum(size) as bytes from files group by "ownerId") f on f."ownerId" = u.id
       left join (select "userId", sum(bytes) as bytes from (${texts.join(" union all ")}) each group by "userId") t on t."userId" = u.id
       where f.bytes is not null or t.bytes is not null`,
    )
    .execute(db);
}

type Copy = { id: string; userId: string };
type Tables = { working_copies: Copy & Record<string, unknown>; copy_files: { copyId: string }; versions: { copyId: string | null } };

/**
 * The id of a story's working copy consists of its writer's id and the story's. Members could use somebody else's and so block saving
 * there; such copies get a random id and keep their owners.
 */
async function renameForeignCopies(plain: Kysely<unknown>): Promise<void> {
  const db = plain as Kysely<Tables>;
  const all: Copy[] = await db.selectFrom("working_copies").select(["id", "userId"]).execute();
  for (const { id, userId } of all) {
    const isRandom = /^[0-9a-f]{24}$/.test(id);
    const isOwn = id.startsWith(`${userId}.`) && !id.slice(userId.length + 1).includes(".");
    if (isRandom || isOwn) continue;
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const row = await db.selectFrom("working_copies").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await db
      .insertInto("working_copies")
      .values({ ...row, id: fresh })
      .execute();
    await db.updateTable("copy_files").set({ copyId: fresh }).where("copyId", "=", id).execute();
    await db.updateTable("versions").set({ copyId: fresh }).where("copyId", "=", id).execute();
    await db.deleteFrom("working_copies").where("id", "=", id).execute();
  }
}
