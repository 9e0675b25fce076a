import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyIdOf, type Draft, emptyDraft } from "#domain/drafts/draft.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.maren));
});
afterEach(() => world.close());

const html = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll("<!-- -->", "");
const get = (path: string) => html(web.request(path, { headers: { cookie } }));
const post = (path: string, fields: Record<string, string>) => web.request(path, formPost(fields, { cookie }));
const toastOf = (answer: Response) => decodeURIComponent(/inkstead_toast=([^;]*)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "");
const hour = 60 * 60_000;

const long = `It was **not** the wind. ${"The lamp went round. ".repeat(20)}`;
async function write(title: string, status: "active" | "inactive" = "active", content = long): Promise<string> {
  world.clock.advance(hour);
  const slug = title.toLowerCase().replaceAll(" ", "-");
  return (await createPost(world.site, world.maren, { title, slug, content, status }, await picture())).id;
}

/** The texts of a list's rows. */
const rows = (page: string) =>
  [...page.matchAll(/<article[\s\S]*?<\/article>/g)].map(([row]) => ({
    html: row,
    text: row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
  }));

describe("Your Posts (specification §2, My posts screen)", () => {
  test("has title, count of published stories, New Post and the search box", async () => {
    await write("Night Bus");
    await write("Tide Table");
    await write("Kept Back", "inactive");
    const page = await get("/profile?tab=posts");
    expect(page).toMatch(/<h2[^>]*>Your Posts<\/h2>/);
    for (const text of ["2 posts published", "New Post", 'href="/add-post?new"', 'placeholder="Search your posts..."'])
      expect(page).toContain(text);
    await post("/post/tide-table/delete", { from: "posts", confirmed: "yes" });
    expect(await get("/profile?tab=posts")).toContain("1 post published");
  });

  test("each has title, badge, the text's first 150 characters without tags, both dates, likes, Preview, Edit and Delete", async () => {
    await write("Night Bus");
    await write("Kept Back", "inactive");
    await setLike(world.site, world.tobias, "night-bus", true);
    const [draft, published] = rows(await get("/profile?tab=posts"));
    expect(draft?.text).toContain("Draft");
    expect(published?.text).toContain("Published");
    for (const { html: row, text } of [draft, published].filter((each) => each !== undefined)) {
      for (const expected of ["Created Nov 2, 2026", "Updated Nov 2, 2026", "Preview", "Edit", "Delete"]) expect(text).toContain(expected);
      const snippet = /It was not the wind\.[^<]*/.exec(row)?.[0] ?? "";
      expect(snippet.length).toBeGreaterThan(100);
      expect(snippet.length).toBeLessThanOrEqual(153);
    }
    expect(published?.text).toContain("1 like");
    expect(draft?.text).toContain("0 likes");
    for (const href of ["/post/night-bus", "/edit-post/night-bus"]) expect(published?.html).toContain(`href="${href}"`);
    expect(published?.html).toContain('action="/post/night-bus/delete"');
  });

  test("one without a title is an Untitled Post, one without a text has No preview available...", async () => {
    await write("Night Bus");
    await world.site.db.updateTable("posts").set({ title: "", content: "", summary: "" }).execute();
    const [row] = rows(await get("/profile?tab=posts"));
    expect(row?.text).toContain("Untitled Post");
    expect(row?.text).toContain("No preview available...");
  });

  test("a search finds stories, or suggests what to do", async () => {
    await write("Night Bus");
    await write("Tide Table");
    expect(rows(await get("/profile?tab=posts&find=tide"))).toHaveLength(1);
    const page = await get("/profile?tab=posts&find=moths");
    for (const text of ["No posts found", "Try adjusting your search terms", 'value="moths"']) expect(page).toContain(text);
    expect(page).not.toContain("Create Your First Post");
  });

  test("shows an empty state", async () => {
    const page = await get("/profile?tab=posts");
    for (const text of ["0 posts published", "No posts yet", "Start writing your first blog post", "Create Your First Post"])
      expect(page).toContain(text);
    expect(page).toMatch(/href="\/add-post"[^>]*>[^<]*(<[^>]*>)*Create Your First Post/);
  });

  test("a story is deleted after the list's confirmation; without JavaScript a page asks and returns", async () => {
    await write("Night Bus");
    const questionPage = await html(post("/post/night-bus/delete", { from: "posts" }));
    expect(questionPage).toContain("Are you sure you want to delete this post?");
    expect(questionPage).not.toContain("This action cannot be undone.");
    expect(questionPage).toContain('href="/profile?tab=posts"');
    expect(questionPage).toContain('name="from" value="posts"');
    const answer = await post("/post/night-bus/delete", { from: "posts", confirmed: "yes" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile?tab=posts"]);
    expect(toastOf(answer)).toContain("Post deleted successfully");
  });

  test("from the reading page the confirmation is the longer one and returns to the story", async () => {
    await write("Night Bus");
    const questionPage = await html(post("/post/night-bus/delete", {}));
    expect(questionPage).toContain("Are you sure you want to delete this post? This action cannot be undone.");
    expect(questionPage).toContain('href="/post/night-bus"');
    const answer = await post("/post/night-bus/delete", { from: "story", confirmed: "yes" });
    expect(answer.headers.get("location")).toBe("/");
  });
});

describe("Drafts (specification §2, Drafts screen)", () => {
  test("has the count of saved drafts, New Draft and a search box; per draft preview, edit, publish and delete", async () => {
    await write("Kept Back", "inactive");
    await write("Also Kept", "inactive");
    await write("Night Bus");
    const page = await get("/profile?tab=drafts");
    for (const text of ["2 saved drafts", "New Draft", 'placeholder="Search drafts..."']) expect(page).toContain(text);
    expect(rows(page)).toHaveLength(2);
    for (const { text, html: row } of rows(page)) {
      for (const expected of ["Preview", "Edit", "Publish", "Delete", "Nov 2, 2026"]) expect(text).toContain(expected);
      expect(row).toMatch(/action="\/post\/(kept-back|also-kept)\/publish"/);
    }
    expect(rows(await get("/profile?tab=drafts&find=also"))).toHaveLength(1);
    expect(await get("/profile?tab=drafts&find=moths")).toContain("No drafts found");
  });

  test("a draft is published after confirmation", async () => {
    await write("Kept Back", "inactive");
    expect(await html(post("/post/kept-back/publish", {}))).toContain("Are you sure you want to publish this draft?");
    const answer = await post("/post/kept-back/publish", { confirmed: "yes" });
    expect(toastOf(answer)).toContain("Draft published successfully!");
    expect(await get("/profile?tab=drafts")).toContain("0 saved drafts");
  });

  test("publishing a draft that has another unfinished text leads to the editor", async () => {
    const id = await write("Kept Back", "inactive");
    const story: Draft = { ...emptyDraft, title: "Kept Back", slug: id, content: long };
    const save = { id: copyIdOf(world.maren.id, id), userId: world.maren.id, postId: id, postVersion: 1, writer: "one-page" };
    const publish = () => post(`/post/${id}/publish`, { confirmed: "yes" });
    const draft = { ...story, content: `${long} And more.` };
    const { revision } = await saveWorkingCopy(world.site, world.maren, { ...save, base: null, count: 1, draft });
    const answer = await publish();
    expect([answer.headers.get("location"), toastOf(answer)]).toEqual([
      `/edit-post/${id}`,
      expect.stringContaining("This draft has unpublished changes. Choose Published, then Update Post."),
    ]);
    expect(await get("/profile?tab=drafts")).toContain("1 saved draft");
    await saveWorkingCopy(world.site, world.maren, { ...save, base: revision, count: 2, draft: story });
    expect(toastOf(await publish())).toContain("Draft published successfully!");
  });

  test("a draft is deleted after confirmation; without JavaScript a page asks and returns to the drafts", async () => {
    await write("Kept Back", "inactive");
    const questionPage = await html(post("/post/kept-back/delete", { from: "drafts" }));
    expect(questionPage).toContain("Are you sure you want to delete this draft?");
    expect(questionPage).toContain('href="/profile?tab=drafts"');
    const answer = await post("/post/kept-back/delete", { from: "drafts", confirmed: "yes" });
    expect([answer.headers.get("location"), toastOf(answer)]).toEqual([
      "/profile?tab=drafts",
      expect.stringContaining("Draft deleted successfully"),
    ]);
  });
});

describe("the counts of the Profile tab", () => {
  test("Articles Published excludes drafts, Articles Bookmarked counts the member's bookmarks", async () => {
    await write("Night Bus");
    await write("Tide Table");
    await write("Kept Back", "inactive");
    await setBookmark(world.site, world.maren, "night-bus", true);
    const figures = (await get("/profile")).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(figures).toMatch(/(2 Articles Published|Articles Published 2)/);
    expect(figures).toMatch(/(1 Articles Bookmarked|Articles Bookmarked 1)/);
  });

  test("shows each social link that is not set", async () => {
    await world.site.db.updateTable("profiles").set({ website: "", twitter: "@m", github: "", linkedIn: "" }).execute();
    const list = (await get("/profile"))
      .split("Social Links")[1]
      ?.split("</dl>")[0]
      ?.replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
    expect(list).toMatch(/Website Not set Twitter @m GitHub Not set LinkedIn Not set/);
  });
});
