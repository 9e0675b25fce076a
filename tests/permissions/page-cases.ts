import { settingsFormValues } from "#app/admin/settings/settings-form.ts";
import { emptyDraft, newCopyId } from "#domain/drafts/draft.ts";
import { picture } from "../support/pictures.ts";
import {
  type Case,
  call,
  extra,
  form,
  freshId,
  ids,
  type Lazy,
  message,
  type Owner,
  page,
  pictureFile,
  pictureFor,
  type Row,
  succeed,
  upload,
  viewerOf,
  world,
} from "./world.ts";

type Ask = Case["ask"];
type Fields = Parameters<typeof form>[1];

const of = (owner: Owner, by: string, ask: Ask, except?: string[]): Case => ({ by, owner, ask, ...(except && { except }) });
const shown = (owner: Owner, path: Lazy<string>) => of(owner, "page", page(path));
const posted = (owner: Owner, path: Lazy<string>, fields: Fields) => of(owner, "form", form(path, fields));
const pub = () => ids.pub as string;
const bucket = "storage/buckets/files/files";

const titleBefore = "Earlier title";

/** A draft of Maren's with an earlier version. */
async function workingCopy(): Promise<string> {
  const id = newCopyId();
  const save = {
    id,
    userId: world.maren.id,
    postId: null,
    postVersion: null,
    base: null,
    writer: "writer-1",
    count: 1,
    draft: emptyDraft,
  };
  const saving = form("/drafts/save", () => ({ save: JSON.stringify(save) }));
  await succeed(saving("owner"));
  await addVersion({ copyId: id, postId: null });
  return id;
}

async function addVersion(of: { copyId: string | null; postId: string | null }): Promise<string> {
  const id = freshId("version");
  const text = { title: titleBefore, markdown: "A lamp.", userId: world.maren.id, createdAt: world.site.now() };
  await world.site.db
    .insertInto("versions")
    .values({ id, ...of, ...text })
    .execute();
  return id;
}

/** Objects that these cases need besides the table's. */
export async function preparePages(): Promise<void> {
  ids.copy = await workingCopy();
  ids.copyVersion = await addVersion({ copyId: ids.copy, postId: null });
  ids.storyVersion = await addVersion({ copyId: null, postId: pub() });
  ids.picture = await pictureFor("owner");
  const draft = world.site.db.selectFrom("posts").select("featuredImage").where("id", "=", String(ids.draft));
  ids.draftPicture = (await draft.executeTakeFirstOrThrow()).featuredImage ?? "";
}

const posts: [Row, Case[]][] = [
  ["read a published story", [shown("maren", () => `/post/${pub()}/delete`), shown("maren", () => `/post/${pub()}/publish`)]],
  ["read a draft", [shown("maren", () => `/files/${ids.draftPicture}`), shown("maren", () => `/files/${ids.draftPicture}/96.webp`)]],
  ["preview a story", [posted("nobody", "/add-post/preview", { content: "A lamp." })]],
  [
    "edit a story",
    [
      of("maren", "form", async (who) => {
        const { version } = await world.site.db.selectFrom("posts").select("version").where("id", "=", pub()).executeTakeFirstOrThrow();
        const title = freshId("Title");
        const fields = { title, slug: pub(), content: "A lamp.", status: "active", version: String(version) };
        const edit = form(
          () => `/edit-post/${pub()}`,
          () => fields,
        );
        // People without the permission are redirected to the story.
        await edit(who);
        const post = world.site.db.selectFrom("posts").select("title").where("id", "=", pub());
        return (await post.executeTakeFirstOrThrow()).title === title;
      }),
      posted(
        "maren",
        () => `/edit-post/${pub()}/history`,
        () => ({ version: String(ids.storyVersion) }),
      ),
    ],
  ],
  [
    "save unfinished work",
    [
      of("nobody", "picture", async (who) => {
        const { name, bytes } = await picture();
        const sent = new File([new Uint8Array(bytes)], name, { type: "image/jpeg" });
        return form("/drafts/picture", { kind: "text", picture: sent })(who);
      }),
    ],
  ],
  [
    "only its owner",
    [
      shown("maren", () => `/drafts/${ids.copy}/discard`),
      // For others it is empty.
      of("maren", "history", async (who) => {
        const response = await page(() => `/drafts/${ids.copy}/history`)(who);
        return response.ok ? (await response.text()).includes(titleBefore) : response;
      }),
      of("maren", "preview", async (who) => {
        const response = await page(() => `/drafts/${ids.copy}/preview`)(who);
        return response.ok ? (await response.text()).includes("Only you can see this") : response;
      }),
      posted(
        "maren",
        () => `/drafts/${ids.copy}/history`,
        () => ({ version: String(ids.copyVersion) }),
      ),
      of("maren", "discard", async (who) => {
        const id = await workingCopy();
        await form(() => `/drafts/${id}/discard`, { confirmed: "yes" })(who);
        const copies = world.site.db.selectFrom("working_copies").select("id").where("id", "=", id);
        return (await copies.execute()).length === 0;
      }),
      shown("maren", () => `/notices/${ids.heldBy}`),
    ],
  ],
  ["see own bookmarks", [shown("self", () => `/profile/bookmarks/${ids.other}/remove`)]],
  [
    "like or bookmark",
    [
      of("nobody", "form", async (who) => {
        const userId = (await viewerOf(who))?.id;
        if (userId) await addBookmark(userId);
        await form(() => `/profile/bookmarks/${ids.other}/remove`, { confirmed: "yes" })(who);
        return userId !== undefined && !(await isBookmarked(userId));
      }),
    ],
  ],
];

/** As before the suspension. */
async function addBookmark(userId: string): Promise<void> {
  const row = { postId: String(ids.other), userId, createdAt: world.site.now() };
  const insert = world.site.db.insertInto("bookmarks").values(row);
  await insert.onConflict((conflict) => conflict.columns(["postId", "userId"]).doNothing()).execute();
}

async function isBookmarked(userId: string): Promise<boolean> {
  const bookmarks = world.site.db.selectFrom("bookmarks").select("id").where("userId", "=", userId).where("postId", "=", String(ids.other));
  return (await bookmarks.execute()).length > 0;
}

const messages: [Row, Case[]][] = [
  [
    "send a message",
    [
      posted(
        "nobody",
        () => `/messages/${extra.id}`,
        () => ({ text: "Hello", sendId: freshId("send") }),
      ),
      posted(
        "nobody",
        () => `/messages/${extra.id}/attach`,
        () => ({ file: pictureFile, sendId: freshId("send") }),
      ),
    ],
  ],
  [
    "delete a message",
    // The owner is not staff, and deletes it in the chat.
    ["/admin/messages", "/admin/messages/:id"].map((path) =>
      of(
        "maren",
        path,
        async (who) => {
          const id = await message();
          return form(() => path.replace(":id", id), { id, confirmed: "yes", scripted: "yes" })(who);
        },
        ["owner"],
      ),
    ),
  ],
];

const files: [Row, Case[]][] = [
  [
    "see uploaded files",
    [
      of("maren", "list", async (who) => {
        const query = JSON.stringify({ method: "equal", attribute: "$id", values: [ids.file] });
        const response = await call(who, "GET", `${bucket}?queries[0]=${encodeURIComponent(query)}`);
        return response.ok ? ((await response.json()) as { total: number }).total === 1 : response;
      }),
      of("maren", "preview", (who) => call(who, "GET", `${bucket}/${ids.picture}/preview?width=96`)),
    ],
  ],
  ["upload files", [of("nobody", "rename", async (who) => call(who, "PUT", `${bucket}/${await pictureFor(who)}`, { name: "b.jpg" }))]],
  [
    "only its owner",
    [
      of("maren", "rename", (who) => call(who, "PUT", `${bucket}/${ids.file}`, { name: "b.pdf" })),
      of("maren", "remove", async (who) => {
        const id = freshId("marens-file-to-remove");
        await succeed(upload("owner", id));
        return call(who, "DELETE", `${bucket}/${id}`);
      }),
    ],
  ],
];

const staff: [Row, Case[]][] = [
  ["enter the admin area", [posted("nobody", "/admin/verify?then=/admin", {})]],
  ["handle reports", [posted("nobody", "/admin/reports", () => ({ id: String(ids["profile report"]), do: "pending", scripted: "yes" }))]],
  [
    "set rules",
    [
      posted("nobody", "/admin/reports/rules/new", {
        do: "save",
        younger: "",
        posts: "",
        links: "999",
        words: "",
        outcome: "report",
        message: "",
      }),
    ],
  ],
  ["change settings", [posted("nobody", "/admin/settings", () => unchangedSettings())]],
];

/** The settings form without a change. */
function unchangedSettings(): Record<string, string> {
  const typed = settingsFormValues(world.site.settings, false);
  const fields = Object.entries(typed).flatMap(([name, value]) => (value === false ? [] : [[name, value === true ? "on" : value]]));
  return { ...Object.fromEntries(fields), shown: JSON.stringify(typed) };
}

/** Pages and forms without a row in the table. */
export const pageCases: [Row, Case[]][] = [...posts, ...messages, ...files, ...staff];
