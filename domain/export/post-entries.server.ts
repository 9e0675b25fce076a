import { readInBatches } from "#platform/database/batches.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import type { Renderer } from "#platform/markup/renderer.ts";
import type { Member, Site } from "../site.ts";
import { type ExportFile, frontMatter, iso } from "./entry.ts";

export async function* postEntries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  yield* finished(site, viewer);
  yield* unfinished(site, viewer);
  yield* picturesInTexts(site, viewer);
}

async function* finished(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  for await (const post of postRows(site, viewer.id)) {
    const folder = post.status === "active" ? "stories" : "drafts";
    const lastModified = post.updatedAt;
    const picture = post.featuredImage && (await site.files.get(originalKey(post.featuredImage)));
    const image = picture ? `../pictures/${post.id}.jpg` : null;
    if (picture) yield { name: `pictures/${post.id}.jpg`, input: picture, lastModified };
    const { title, userName, views, likesCount, bookmarksCount, publishedAt } = post;
    const created = post.createdAt ?? publishedAt ?? 0;
    const dates = { published: publishedAt === null ? null : iso(publishedAt), created: iso(created), updated: iso(post.updatedAt) };
    const facts = { title, slug: post.id, status: post.status, author: userName, ...dates, image, views, likes: likesCount };
    const head = frontMatter({ ...facts, bookmarks: bookmarksCount, featured: post.featured, pinned: post.pinned });
    // Stories created as HTML have no Markdown.
    if (post.markdown === null) yield { name: `${folder}/${post.id}.html`, input: post.content, lastModified };
    const text = post.markdown ?? (await markdownFor(site.renderer, post.content, `export:${viewer.id}`));
    yield { name: `${folder}/${post.id}.md`, input: head + text, lastModified };
    yield* history(site, `history/${post.id}`, { postId: post.id });
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

async function* history(site: Site, folder: string, of: { postId: string } | { copyId: string }): AsyncGenerator<ExportFile> {
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

async function* unfinished(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
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

/** Whoever uploaded them: administrators may edit a member's story. */
async function* picturesInTexts(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  const rows = await site.db
    .selectFrom("files")
    .select(["files.id", "files.type", "files.createdAt"])
    .where("files.id", "in", (eb) => {
      const inPosts = eb.selectFrom("posts").innerJoin("post_files", "post_files.postId", "posts.id").select("post_files.fileId");
      const copies = eb.selectFrom("working_copies").innerJoin("copy_files", "copy_files.copyId", "working_copies.id");
      return inPosts
        .where("posts.userId", "=", viewer.id)
        .union(copies.select("copy_files.fileId").where("working_copies.userId", "=", viewer.id));
    })
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

function postRows({ db }: Site, userId: string) {
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
