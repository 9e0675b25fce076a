import { appeal } from "#domain/moderation/appeals.server.ts";
import type { Action } from "#domain/permissions.ts";
import { holdPost } from "#domain/posts/hold-post.server.ts";
import { PostInput } from "#domain/posts/post-input.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import {
  api,
  type Case,
  channel,
  downloadFile,
  extra,
  form,
  ids,
  message,
  nextNumber,
  type Owner,
  page,
  story,
  topic,
  upload,
  verb,
  world,
} from "./permission-world.ts";
import { picture } from "./pictures.ts";

const of = (owner: Owner, by: string, ask: Case["ask"]): Case => ({ by, owner, ask });
const posts = (id: () => string) => `posts/documents/${id()}`;
const pub = () => ids.pub as string;

/** What everybody may do with what is theirs or public, and what others may do with it. */
export const memberCases: Partial<Record<Action, Case[]>> = {
  "read a published story": [
    of(
      "maren",
      "page",
      page(() => `/post/${pub()}`),
    ),
    of("maren", "/v1", (who) => api(who, "GET", posts(pub))),
    of(
      "maren",
      "/live",
      topic(() => `post:${pub()}`),
    ),
    of("maren", "realtime", channel("posts", pub)),
  ],
  "read a draft": [
    of(
      "maren",
      "page",
      page(() => `/post/${ids.draft}`),
    ),
    of("maren", "/v1", (who) =>
      api(
        who,
        "GET",
        posts(() => ids.draft as string),
      ),
    ),
    of(
      "maren",
      "/live",
      topic(() => `post:${ids.draft}`),
    ),
  ],
  "list all stories": [
    of(
      "nobody",
      "page",
      page(() => "/all-posts"),
    ),
  ],
  "write a story": [
    of(
      "nobody",
      "verb",
      verb(async (viewer) => {
        const input = await PostInput.parseAsync({ title: "New", slug: `new-${nextNumber()}`, content: "A lamp.", status: "active" });
        return createPost(world.site, viewer, input, await picture("lamp.jpg", 120, 63));
      }),
    ),
  ],
  "keep unfinished work": [
    of(
      "nobody",
      "page",
      page(() => "/add-post"),
    ),
  ],
  "edit a story": [
    of(
      "maren",
      "page",
      page(() => `/edit-post/${pub()}`),
    ),
    of("maren", "/v1", (who) => api(who, "PATCH", posts(pub), { data: { title: "Another title" } })),
  ],
  "publish or unpublish a story": [of("maren", "/v1", (who) => api(who, "PATCH", posts(pub), { data: { status: "active" } }))],
  "delete a story": [
    of("maren", "/v1", async (who) => {
      const id = await story();
      return api(
        who,
        "DELETE",
        posts(() => id),
      );
    }),
  ],
  "see a profile": [
    of(
      "maren",
      "page",
      page(() => `/profile/${world.maren.id}`),
    ),
    of("maren", "/v1", (who) => api(who, "GET", `profiles/documents/${world.maren.id}`)),
    of(
      "maren",
      "/live",
      topic(() => `profile:${world.maren.id}`),
    ),
  ],
  "edit a profile": [of("maren", "/v1", (who) => api(who, "PATCH", `profiles/documents/${world.maren.id}`, { data: { bio: "Hello" } }))],
  "like or bookmark": [
    of(
      "nobody",
      "page",
      form(
        () => `/post/${pub()}/react`,
        () => ({ reaction: "like", wanted: "yes", scripted: "yes" }),
      ),
    ),
  ],
  "see reports": [
    of("maren", "/v1", (who) => api(who, "GET", `reports/documents/${ids["profile report"]}`)),
    of(
      "maren",
      "realtime",
      channel("reports", () => ids["profile report"] as string),
    ),
  ],
  "upload files": [of("nobody", "/v1", (who) => upload(who, "unique()"))],
  "upload files for others": [of("nobody", "/v1", (who) => upload(who, "unique()", true))],
  "see uploaded files": [of("maren", "/v1", downloadFile)],
  "see own bookmarks": [of("maren", "/v1", (who) => api(who, "GET", `bookmarks/documents/${ids.bookmark}`))],
  "follow a member": [
    of(
      "maren",
      "page",
      form(
        () => `/profile/${world.maren.id}/follow`,
        () => ({ following: "yes", scripted: "yes" }),
      ),
    ),
  ],
  "see own follows": [of("maren", "/v1", (who) => api(who, "GET", `follows/documents/${ids.follow}`))],
  "change an account": [
    of(
      "self",
      "page",
      page(() => "/account"),
    ),
  ],
  "take an account's data away": [
    of(
      "self",
      "page",
      page(() => "/account/export/everything.zip"),
    ),
  ],
  "delete an account": [
    of(
      "self",
      "page",
      page(() => "/account/delete"),
    ),
  ],
  report: [
    of("maren", "/v1", (who) =>
      api(who, "POST", "reports/documents", { documentId: "unique()", data: { kind: "post", subjectId: pub(), reason: "spam" } }),
    ),
  ],
  "send a message": [
    of("nobody", "/v1", (who) =>
      api(who, "POST", "messages/documents", { documentId: "unique()", data: { receiverId: extra.id, message: "Hello" } }),
    ),
  ],
  "read a conversation": [
    of("maren", "/v1", (who) => api(who, "GET", `messages/documents/${ids.message}`)),
    of(
      "maren",
      "/live",
      topic(() => `user:${world.maren.id}`),
    ),
    of(
      "maren",
      "realtime",
      channel("messages", () => ids.message as string),
    ),
  ],
  "delete a message": [
    of("maren", "/v1", async (who) => {
      const id = await message();
      return api(who, "DELETE", `messages/documents/${id}`);
    }),
  ],
  "block or mute": [
    of(
      "nobody",
      "page",
      form(
        () => `/messages/${extra.id}/change`,
        () => ({ change: "block", value: "no" }),
      ),
    ),
  ],
  "read what was decided": [
    of(
      "self",
      "page",
      page(() => "/notices"),
    ),
  ],
  appeal: [
    of("maren", "page", async (who) => {
      const id = await story();
      await holdPost(world.site, world.ruth, id, { reason: "why" });
      const { heldBy } = await world.site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirstOrThrow();
      const asked = verb((viewer) => appeal(world.site, viewer, heldBy ?? "", "Please look again."));
      return asked(who);
    }),
  ],
};
