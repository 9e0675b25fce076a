import { emptyDraft, newCopyId } from "#domain/drafts/draft.ts";
import type { Action } from "#domain/permissions.ts";
import { picture } from "../support/pictures.ts";
import {
  api,
  type Case,
  call,
  createTestPost,
  downloadFile,
  extra,
  form,
  freshId,
  holdPost,
  ids,
  type Lazy,
  lastReport,
  live,
  message,
  newcomer,
  type Owner,
  page,
  pictureOf,
  realtime,
  sendLive,
  statusOfPost,
  succeed,
  unlessRedirectedTo,
  upload,
  viewerOf,
  world,
} from "./world.ts";

const of = (owner: Owner, by: string, ask: Case["ask"], except?: string[]): Case => ({ by, owner, ask, ...(except && { except }) });
const shown = (owner: Owner, path: Lazy<string>) => of(owner, "page", page(path));
const posted = (owner: Owner, path: Lazy<string>, fields: Lazy<Record<string, string>>) => of(owner, "form", form(path, fields));
const read = (list: string, id: () => string | undefined) => of("maren", "/v1", (who) => api(who, "GET", `${list}/documents/${id()}`));
const pub = () => ids.pub as string;
const marens = (id: () => string | undefined) => `posts/documents/${id()}`;
const create = (who: string, list: string, data: object) => api(who, "POST", `${list}/documents`, { documentId: "unique()", data });

/** Maren's actions that others may be notified of. Each returns the id of its object. */
const retitle = async (id: string) => {
  await succeed(api("owner", "PATCH", `posts/documents/${id}`, { data: { title: freshId("Title") } }));
  return id;
};
const createdBy = async (response: Promise<Response>) => ((await (await succeed(response)).json()) as { $id: string }).$id;
const write = () => createdBy(create("owner", "messages", { receiverId: extra.id, message: "Hello" }));
const bookmark = async () => createdBy(create("owner", "bookmarks", { postId: await createTestPost(), userId: world.maren.id }));

/** Members' rights to their own and public content, and others' rights to it. */
export const memberCases: Partial<Record<Action, Case[]>> = {
  "read a published story": [
    shown("maren", () => `/post/${pub()}`),
    shown("maren", () => `/offline/${pub()}`),
    shown("maren", "/feed.xml"),
    posted("maren", () => `/post/${pub()}/view`, {}),
    read("posts", pub),
    of(
      "maren",
      "/live",
      live(
        () => `post:${pub()}`,
        () => retitle(pub()),
      ),
    ),
    of(
      "maren",
      "realtime",
      realtime(() => retitle(pub())),
    ),
  ],
  "read a draft": [
    shown("maren", () => `/post/${ids.draft}`),
    read("posts", () => ids.draft),
    of(
      "maren",
      "/live",
      live(() => `post:${ids.draft}`),
    ),
    // Staff read drafts where that is recorded.
    of(
      "maren",
      "realtime",
      realtime(() => retitle(ids.draft as string)),
      ["administrator"],
    ),
  ],
  "read a held story": [shown("maren", () => `/post/${ids.heldPost}`)],
  "list all stories": [shown("nobody", "/all-posts")],
  "write a story": [
    of("nobody", "form", async (who) => {
      const slug = freshId("new");
      const { name, bytes } = await picture();
      const featuredImage = new File([new Uint8Array(bytes)], name, { type: "image/jpeg" });
      const response = await form("/add-post", { title: "New", slug, content: "A lamp.", status: "active", featuredImage })(who);
      return response.status === 302 ? response.headers.get("location") === `/post/${slug}` : response;
    }),
    of("nobody", "/v1", (who) => create(who, "posts", { title: freshId("New"), content: "A lamp.", featuredImage: pictureOf(who) })),
  ],
  "save unfinished work": [
    shown("nobody", "/add-post"),
    of("nobody", "form", async (who) => {
      const userId = (await viewerOf(who))?.id ?? "";
      const id = newCopyId();
      const save = { id, userId, postId: null, postVersion: null, base: null, writer: "writer-1", count: 1, draft: emptyDraft };
      return form("/drafts/save", () => ({ save: JSON.stringify(save) }))(who);
    }),
  ],
  "edit a story": [
    of(
      "maren",
      "page",
      unlessRedirectedTo("/post/", () => `/edit-post/${pub()}`),
    ),
    of(
      "maren",
      "history",
      unlessRedirectedTo("/post/", () => `/edit-post/${pub()}/history`),
    ),
    of("maren", "/v1", (who) => api(who, "PATCH", marens(pub), { data: { title: "Another title" } })),
  ],
  "publish or unpublish a story": [
    of("maren", "/v1", (who) => api(who, "PATCH", marens(pub), { data: { status: "active" } })),
    of("maren", "/v1", async (who) => api(who, "PATCH", `posts/documents/${await createTestPost()}`, { data: { status: "inactive" } })),
    // Moderators publish held stories, not drafts.
    of(
      "maren",
      "form",
      async (who) => {
        const id = await createTestPost("inactive");
        await form(() => `/post/${id}/publish`, { confirmed: "yes" })(who);
        return (await statusOfPost(id)) === "active";
      },
      ["moderator"],
    ),
  ],
  "delete a story": [
    of("maren", "/v1", async (who) => api(who, "DELETE", `posts/documents/${await createTestPost()}`)),
    of("maren", "form", async (who) => {
      const id = await createTestPost();
      await form(() => `/post/${id}/delete`, { confirmed: "yes" })(who);
      return (await statusOfPost(id)) !== "active";
    }),
  ],
  "see a profile": [
    shown("maren", () => `/profile/${world.maren.id}`),
    shown("maren", () => `/profile/${world.maren.id}/feed.xml`),
    read("profiles", () => world.maren.id),
    of(
      "maren",
      "/live",
      live(() => `profile:${world.maren.id}`, rename),
    ),
    of("maren", "realtime", realtime(rename)),
  ],
  "edit a profile": [
    of("maren", "/v1", (who) => api(who, "PATCH", `profiles/documents/${world.maren.id}`, { data: { bio: "Hello" } })),
    of("self", "page", unlessRedirectedTo("/profile", "/edit-profile")),
  ],
  "like or bookmark": [
    posted("nobody", () => `/post/${pub()}/react`, { reaction: "like", wanted: "yes", scripted: "yes" }),
    of("nobody", "/v1", async (who) => create(who, "likes", { postId: pub(), userId: (await viewerOf(who))?.id ?? "" })),
  ],
  "see reports": [read("reports", () => ids["profile report"]), of("maren", "realtime", realtime(reportMember))],
  "upload files": [of("nobody", "/v1", (who) => upload(who, "unique()"))],
  "upload files for others": [of("nobody", "/v1", (who) => upload(who, "unique()", true))],
  "see uploaded files": [
    of("maren", "/v1", downloadFile),
    of("maren", "/v1 view", (who) => call(who, "GET", `storage/buckets/files/files/${ids.file}/view`)),
    of("maren", "/v1 download", (who) => call(who, "GET", `storage/buckets/files/files/${ids.file}/download`)),
    of(
      "maren",
      "realtime",
      realtime(async () => {
        const id = freshId("marens-file-uploaded");
        await succeed(upload("owner", id));
        return id;
      }),
    ),
  ],
  "see own bookmarks": [read("bookmarks", () => ids.bookmark), of("maren", "realtime", realtime(bookmark))],
  "follow a member": [posted("maren", () => `/profile/${world.maren.id}/follow`, { following: "yes", scripted: "yes" })],
  "see own follows": [
    read("follows", () => ids.follow),
    of(
      "maren",
      "realtime",
      realtime(async () => createdBy(create("owner", "follows", { followedId: (await newcomer()).id }))),
    ),
  ],
  "change an account": [
    shown("self", "/account"),
    shown("self", "/account/keys"),
    shown("self", "/account/authenticator"),
    of("self", "/v1", (who) => call(who, "PATCH", "account/prefs", { prefs: { theme: "dark" } })),
    of(
      "maren",
      "realtime",
      realtime(async () => {
        await succeed(call("owner", "PATCH", "account/prefs", { prefs: { theme: freshId("theme") } }));
        return world.maren.id;
      }),
    ),
  ],
  "export an account's data": [shown("self", "/account/export/everything.zip"), shown("self", "/account/export")],
  "delete an account": [shown("self", "/account/delete")],
  report: [
    of("maren", "/v1", (who) => create(who, "reports", { kind: "post", subjectId: pub(), reason: "spam" })),
    shown("maren", () => `/report?kind=post&id=${pub()}`),
    posted(
      "maren",
      () => `/report?kind=post&id=${pub()}`,
      () => ({ kind: "post", subjectId: pub(), reason: "spam", note: "", scripted: "yes" }),
    ),
  ],
  "send a message": [
    of("nobody", "/v1", (who) => create(who, "messages", { receiverId: extra.id, message: "Hello" })),
    posted(
      "nobody",
      () => `/messages/${extra.id}/send`,
      () => ({ text: "Hello", sendId: freshId("send") }),
    ),
    of(
      "nobody",
      "/live",
      sendLive(() => ({ send: { to: extra.id, text: "Hello", sendId: freshId("send") } })),
    ),
  ],
  "read a conversation": [
    read("messages", () => ids.message),
    shown("self", "/messages"),
    shown("self", () => `/messages/${extra.id}`),
    shown("self", () => `/messages/${extra.id}/history`),
    shown("self", "/messages/conversations"),
    shown("self", "/messages/people?q=a"),
    of(
      "maren",
      "/live",
      live(() => `user:${world.maren.id}`, write),
    ),
    of("maren", "realtime", realtime(write)),
  ],
  "delete a message": [of("maren", "/v1", async (who) => api(who, "DELETE", `messages/documents/${await message()}`))],
  "block or mute": [posted("nobody", () => `/messages/${extra.id}/change`, { change: "block", value: "no" })],
  "read a decision": [shown("self", "/notices")],
  appeal: [
    of("maren", "form", async (who) => {
      const { heldBy: id } = await holdPost();
      return form(() => `/notices/${id}`, { text: "Please look again." })(who);
    }),
  ],
};

async function rename(): Promise<string> {
  await succeed(api("owner", "PATCH", `profiles/documents/${world.maren.id}`, { data: { bio: freshId("Hello") } }));
  return world.maren.id;
}

/** Maren reports a member without reports. */
export async function reportMember(): Promise<string> {
  await succeed(create("owner", "reports", { kind: "profile", subjectId: (await newcomer()).id, reason: "spam" }));
  return lastReport();
}
