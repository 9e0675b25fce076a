import { z } from "zod";
import { findDocument } from "#domain/documents/documents.server.ts";
import type { DraftConflict } from "#domain/drafts/working-copies.server.ts";
import { readOwnFile, releaseOwnFile } from "#domain/files/api-files.server.ts";
import { curatePost } from "#domain/moderation/posts/moderation.server.ts";
import { may } from "#domain/permissions.ts";
import type { Format } from "#domain/posts/content.server.ts";
import type { PostStatus } from "#domain/posts/post.ts";
import { createPost, deletePost, PostChange, PostInput, refuseTakenSlug } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { readAsStored, setPostStatus, updatePost } from "#domain/posts/update-post.server.ts";
import { countView } from "#domain/posts/views.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";
import { invalidParam } from "../params.ts";
import { requireSelf, text, textOrNull, writer } from "./collection-writer.ts";
import { parseAttributes } from "./structure.ts";

const Status = z.enum(["active", "inactive"]);
/** Some clients send the initial values of what only the site sets. */
const NewPost = z.strictObject({
  title: z.string(),
  content: z.string().default("").describe("HTML or Markdown; it is sanitized."),
  featuredImage: z.string().describe("The id of one of your files. The story gets a copy cropped to 1200 x 630."),
  status: Status.default("active"),
  userId: z.string().nullish(),
  userName: z.string().nullish().describe("Ignored: it is the author's name."),
  featured: z.literal(false).optional(),
  pinned: z.literal(false).optional(),
  views: z.literal(0).optional(),
  likesCount: z.literal(0).optional(),
  bookmarksCount: z.literal(0).optional(),
});

const PostChanges = z
  .strictObject({
    title: z.string(),
    content: z.string(),
    featuredImage: z.string().nullable(),
    status: Status,
    userId: z.string(),
    userName: z.string().nullable(),
    featured: z.boolean(),
    pinned: z.boolean(),
    views: z.number(),
  })
  .partial();

export const postWriter = writer({
  collection: "posts",
  attributes: {
    title: text,
    content: text.describe("HTML, sanitized."),
    featuredImage: textOrNull,
    status: z.enum(["active", "inactive"]),
    userId: text,
    userName: text,
    featured: z.boolean(),
    pinned: z.boolean(),
    views: z.int(),
    likesCount: z.int(),
    bookmarksCount: z.int(),
    publishedAt: textOrNull.describe("When it was first published; stays when it is unpublished. Null if it never was."),
  },
  create: {
    data: NewPost,
    async run(call, id, { title, content, featuredImage, status, userId }) {
      const viewer = requireSelf(call, userId);
      const input = await parseAttributes(PostInput, {
        title,
        content,
        status,
        slug: id ?? (await slugOf(title)),
      });
      if (id && input.slug !== id)
        throw invalidParam("documentId", "A story's id is its slug: at most 35 lowercase letters, digits and single hyphens.");
      const picture = await readOwnFile(call.site, viewer, featuredImage).catch(async (error) => {
        // The upload is gone after the first of several equal requests.
        await refuseTakenSlug(call.site, input.slug);
        throw error;
      });
      const { id: created } = await createPost(call.site, viewer, input, picture, { format: formatOf(content) });
      await releaseOwnFile(call.site, viewer, featuredImage);
      return created;
    },
  },
  update: { data: PostChanges, run: change },
  remove: (call, id) => deletePost(call.site, call.viewer, id),
  async increment(call, id, { attribute, value, max, min }) {
    if (attribute !== "views") throw new ApiError("user_unauthorized");
    const { attributes } = await findDocument(call.site, call.viewer, "posts", id, ["views"]);
    const views = Number(attributes.views) + value;
    const beyond = (end: string, limit: number) =>
      new ApiError("attribute_limit_exceeded", `Attribute "${attribute}" has reached the ${end} value of ${limit}`);
    if (max !== undefined && views > max) throw beyond("maximum", max);
    if (min !== undefined && views < min) throw beyond("minimum", min);
    await setViews(call, id, views);
  },
});

const tries = 3;

async function change(call: Call, id: string, { views, featured, pinned, ...given }: z.output<typeof PostChanges>): Promise<void> {
  const { title, content, featuredImage, status, userId } = given;
  if (userId && userId !== (await findDocument(call.site, call.viewer, "posts", id)).ownerId) throw new ApiError("user_unauthorized");
  const text = { title, content, featuredImage, status };
  const isRewrite = title !== undefined || content !== undefined || featuredImage;
  // Before anything is saved: an invalid text must not leave the story featured.
  const next = isRewrite ? await readRewrite(call, id, text) : undefined;
  if (views !== undefined) await setViews(call, id, views);
  if (featured !== undefined || pinned !== undefined) await curatePost(call.site, call.viewer, id, { featured, pinned });
  if (next) await rewrite(call, id, text, next, tries);
  else if (status !== undefined) await setPostStatus(call.site, call.viewer, id, status);
}

type Text = {
  title: string | undefined;
  content: string | undefined;
  featuredImage: string | null | undefined;
  status: PostStatus | undefined;
};

/** @throws ApiError for an invalid text; Invalid for a file that isn't the viewer's. */
async function readRewrite(call: Call, id: string, text: Text) {
  const { site } = call;
  const viewer = requireSelf(call, undefined);
  const before = await readAsStored(site, viewer, id);
  const { attributes } = await findDocument(site, viewer, "posts", id, ["content"]);
  const isNewText = text.content !== undefined && text.content !== attributes.content;
  const content = isNewText ? text.content : before.content;
  const format = isNewText ? formatOf(text.content ?? "") : before.format;
  const input = await parseAttributes(PostChange, { title: text.title ?? before.title, content, status: text.status ?? before.status });
  const fileId = text.featuredImage !== before.featuredImage ? text.featuredImage : undefined;
  const picture = fileId ? await readOwnFile(site, viewer, fileId) : undefined;
  return { viewer, input, fileId, change: { version: before.version, picture, format } };
}

type Rewrite = Awaited<ReturnType<typeof readRewrite>>;

async function rewrite(call: Call, id: string, text: Text, { viewer, input, fileId, change }: Rewrite, left: number): Promise<void> {
  try {
    await updatePost(call.site, viewer, id, input, change);
    if (fileId) await releaseOwnFile(call.site, viewer, fileId);
  } catch (error) {
    if (!detailsOf<DraftConflict>(error, "changed-meanwhile")) throw error;
    if (left <= 1) throw new ApiError("document_update_conflict");
    await rewrite(call, id, text, await readRewrite(call, id, text), left - 1);
  }
}

function formatOf(content: string): Format {
  return /^\s*<[a-z!]/i.test(content) ? "html" : "markdown";
}

/** Administrators set the number. For others it counts as one view, once in half an hour. */
async function setViews(call: Call, id: string, views: number): Promise<void> {
  if (may(call.viewer, "adjust counts")) await curatePost(call.site, call.viewer, id, { views });
  else await countView(call.site, call.viewer, call.client, id);
}
