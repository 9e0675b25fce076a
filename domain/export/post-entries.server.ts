import { readInBatches } from "#platform/database/batches.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import type { Renderer } from "#platform/markup/renderer.ts";
import type { Member, Site } from "../site.ts";
import { type Entry, frontMatter, iso } from "./entry.ts";

export async function* storyEntries(site: Site, viewer: Member): AsyncGenerator<Entry> {
  yield* finished(site, viewer);
  yield* unfinished(site, viewer);
  yield* picturesInTexts(site, viewer);
}

async function* finished(site: Site, viewer: Member): AsyncGenerator<Entry> {
  for await (const story of stories(site, viewer.id)) {
    const folder = story.status === "active" ? "stories" : "drafts";
    const lastModified = story.updatedAt;
    const picture = story.featuredImage && (await site.files.get(originalKey(story.featuredImage)));
    const image = picture ? `../pictures/${story.id}.jpg` : null;
    if (picture) yield { name: `pictures/${story.id}.jpg`, input: picture, lastModified };
    const { title, userName, views, likesCount, bookmarksCount, publishedAt } = story;
    const created = story.createdAt ?? publishedAt ?? 0;
    const dates = { published: publishedAt === null ? null : iso(publishedAt), created: iso(created), updated: iso(story.updatedAt) };
    const facts = { title, slug: story.id, status: story.status, author: userName, ...dates, image, views, likes: likesCount };
    const head = frontMatter({ ...facts, bookmarks: bookmarksCount, featured: story.featured, pinned: story.pinned });
    // Stories created as HTML have no Markdown.
    if (story.markdown === null) yield { name: `${folder}/${story.id}.html`, input: story.content, lastModified };
    const text = story.markdown ?? (await markdownFor(site.renderer, story.content, `export:${viewer.id}`));
    yield { name: `${folder}/${story.id}.md`, input: head + text, lastModified };
    yield* history(site, `history/${story.id}`, { postId: story.id });
  }
}

async function markdownFor(renderer: Renderer, html: string, key: string): Promise<string> {
  const markdown = await renderer.toMarkdown(html, key).catch(() => html);
  if (markdown === html) return html;
  const both = await Promise.all([renderer.render(markdown, key), renderer.render(html, key)]).catch(() => undefined);
  if (!both) return html;
  const [fromMarkdown, fromHtml] = both;
  return fromMarkdown.html !== html && fromHtml.html === html ? html : markdown;
}

async function* history(site: Site, folder: string, of: { postId: string } | { copyId: string }): AsyncGenerator<Entry> {
  const [column, value] = "postId" in of ? (["versions.postId", of.postId] as const) : (["versions.copyId", of.copyId] as const);
  const ids = await site.db.selectFrom("versions").select("id").where(column, "=", value).orderBy("createdAt").orderBy("id").execute();
  for (const { id } of ids) {
    const version = await site.db
      .selectFrom("versions")
      .leftJoin("profiles", "profiles.userId", "versions.userId")
      .select(["versions.title", "versions.markdown", "versions.createdAt", "profiles.userName as by"])
      .where("versions.id", "=", id)
      .executeTakeFirst();
    if (!version) continue;
    const { title, by, markdown, createdAt } = version;
    const replaced = iso(createdAt);
    const name = `${folder}/${replaced.replaceAll(":", "-")}-${id.slice(-6)}.md`;
    yield { name, input: frontMatter({ title, by, replaced }) + markdown, lastModified: createdAt };
  }
}

async function* unfinished(site: Site, viewer: Member): AsyncGenerator<Entry> {
  const copies = site.db.selectFrom("working_copies").where("userId", "=", viewer.id);
  // One text at a time: all together may have 400 million characters, kept for as long as the client reads.
  for (const { id } of await copies.select("id").orderBy("id").execute()) {
    const copy = await copies
      .select(["postId", "title", "slug", "markdown", "status", "featuredImage", "createdAt", "updatedAt"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!copy) continue;
    const { postId, markdown, featuredImage, createdAt, updatedAt, ...rest } = copy;
    const picture = featuredImage && (await site.files.get(originalKey(featuredImage)));
    const image = picture ? `../pictures/unfinished/${id}.jpg` : null;
    if (picture) yield { name: `pictures/unfinished/${id}.jpg`, input: picture, lastModified: updatedAt };
    const head = frontMatter({ ...rest, changes: postId, image, created: iso(createdAt), updated: iso(updatedAt) });
    yield { name: `unfinished/${id}.md`, input: head + markdown, lastModified: updatedAt };
    yield* history(site, `history/unfinished/${id}`, { copyId: id });
  }
}

async function* picturesInTexts(site: Site, viewer: Member): AsyncGenerator<Entry> {
  const rows = await site.db
    .selectFrom("files")
    .select(["files.id", "files.type", "files.createdAt"])
    .where("files.ownerId", "=", viewer.id)
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom("post_files").select("fileId").whereRef("post_files.fileId", "=", "files.id")),
        eb.exists(eb.selectFrom("copy_files").select("fileId").whereRef("copy_files.fileId", "=", "files.id")),
      ]),
    )
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("working_copies").select("id").whereRef("working_copies.featuredImage", "=", "files.id"))),
    )
    .orderBy("files.id")
    .execute();
  for (const { id, type, createdAt } of rows) {
    const bytes = await site.files.get(originalKey(id));
    const extension = type.replace(/^image\//, "").replace("jpeg", "jpg");
    if (bytes) yield { name: `pictures/in-texts/${id}.${extension}`, input: bytes, lastModified: createdAt };
  }
}

function stories({ db }: Site, userId: string) {
  const read = (last: number) =>
    db
      .selectFrom("posts")
      .select(["number", "id", "title", "userName", "status", "markdown", "content", "featuredImage", "featured", "pinned"])
      .select(["views", "likesCount", "bookmarksCount", "publishedAt", "createdAt", "updatedAt"])
      .where("userId", "=", userId)
      .where("number", ">", last)
      .orderBy("number")
      .limit(20)
      .execute();
  return readInBatches(0, read, (row) => row.number);
}
