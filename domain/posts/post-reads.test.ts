import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { anyCharacter } from "../../tests/support/xss.ts";
import { readCounter } from "../counters/counters.server.ts";
import type { Upload } from "../files/files.server.ts";
import type { Member } from "../site.ts";
import { listLatest, listMarked, listOwnPosts, readPost } from "./post-reads.server.ts";
import { createPost, deletePost } from "./posts.server.ts";
import { setPostStatus } from "./update-post.server.ts";

let world: World;
let cover: Upload;
beforeEach(async () => {
  world = await openWorld();
  cover = await picture("cover.jpg");
});
afterEach(() => world.close());

/** Each a second after the one before. */
async function write(title: string, { by = world.maren, content = "", status = "active" as "active" | "inactive" } = {}) {
  world.clock.advance(1000);
  const slug = title.toLowerCase().replaceAll(" ", "-");
  return (await createPost(world.site, by as Member, { title, slug, content, status }, cover)).id;
}
const titles = (page: { posts: { title: string }[] }) => page.posts.map((post) => post.title);

describe("a draft", () => {
  test("doesn't show a decision about an erased story that had its address", async () => {
    const id = await write("Tides");
    await setPostStatus(world.site, world.ruth, id, "inactive", { reason: "It names a neighbour" });
    expect((await readPost(world.site, world.maren, id)).notice).toMatchObject({ kind: "unpublish" });
    await deletePost(world.site, world.maren, id);
    await write("Tides", { by: world.tobias, status: "inactive" });
    expect((await readPost(world.site, world.tobias, id)).notice).toBeNull();
  });

  test("can be read by its author and by administrators", async () => {
    const id = await write("Kept back", { status: "inactive" });
    expect((await readPost(world.site, world.maren, id)).title).toBe("Kept back");
    expect((await readPost(world.site, world.ruth, id)).title).toBe("Kept back");
  });
  test("is not found for others", async () => {
    const id = await write("Kept back", { status: "inactive" });
    await expect(readPost(world.site, null, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(readPost(world.site, world.tobias, id)).rejects.toMatchObject({ code: "not-found" });
    expect(titles(await listLatest(world.site, { limit: 10 }))).toEqual([]);
    expect(await readCounter(world.site, "published")).toBe(0);
  });
  test("is listed for its author only", async () => {
    await write("Kept back", { status: "inactive" });
    await write("Shown");
    expect(titles(await listOwnPosts(world.site, world.maren, { limit: 10, draftsOnly: true }))).toEqual(["Kept back"]);
    expect(titles(await listOwnPosts(world.site, world.tobias, { limit: 10, draftsOnly: true }))).toEqual([]);
    await expect(listOwnPosts(world.site, null, { limit: 10, draftsOnly: true })).rejects.toMatchObject({ code: "sign-in-required" });
  });
});

describe("the latest stories", () => {
  test("are listed newest first, each once", async () => {
    for (const title of ["One", "Two", "Three", "Four", "Five"]) await write(title);
    const first = await listLatest(world.site, { limit: 2 });
    expect(titles(first)).toEqual(["Five", "Four"]);
    await write("Six"); // Published meanwhile: the next page must not repeat a story.
    const second = await listLatest(world.site, { limit: 2, after: first.next });
    expect(titles(second)).toEqual(["Three", "Two"]);
    const third = await listLatest(world.site, { limit: 2, after: second.next });
    expect(titles(third)).toEqual(["One"]);
    expect(third.next).toBeNull();
  });
  test("of the same time are in the order of publishing", async () => {
    for (const slug of ["a", "b", "c"])
      await createPost(world.site, world.maren, { title: slug, slug, content: "", status: "active" }, cover);
    const first = await listLatest(world.site, { limit: 1 });
    const second = await listLatest(world.site, { limit: 1, after: first.next });
    expect([...titles(first), ...titles(second)]).toEqual(["c", "b"]);
  });
  test("begin at the top for an invalid cursor", async () => {
    await write("One");
    expect(titles(await listLatest(world.site, { limit: 5, after: "1; drop table posts" }))).toEqual(["One"]);
  });
  test("of one author", async () => {
    await write("Hers");
    await write("His", { by: world.tobias });
    expect(titles(await listLatest(world.site, { limit: 5, authorId: world.tobias.id }))).toEqual(["His"]);
  });
  test("show the author's current name", async () => {
    await write("One");
    await world.site.db.updateTable("profiles").set({ userName: "M. Oduya" }).where("userId", "=", world.maren.id).execute();
    expect((await listLatest(world.site, { limit: 5 })).posts[0]?.userName).toBe("M. Oduya");
  });
});

describe("the search", () => {
  test("finds words of title, text and author, with accents or without", async () => {
    await write("The Mapmaker", { content: "A hill drawn where there was none, in **Łódź** and Malmö." });
    await write("Bread", { by: world.tobias });
    const found = async (search: string) => titles(await listLatest(world.site, { limit: 5, search }));
    expect(await found("mapmaker")).toEqual(["The Mapmaker"]);
    expect(await found("hill malmo")).toEqual(["The Mapmaker"]);
    expect(await found("lindqvist")).toEqual(["Bread"]);
    expect(await found("mapm")).toEqual(["The Mapmaker"]);
    expect(await found("hill bread")).toEqual([]);
  });
  test("without a word lists everything", async () => {
    await write("One");
    expect(titles(await listLatest(world.site, { limit: 5, search: " !? " }))).toEqual(["One"]);
  });
  test("takes any characters", async () => {
    await write("One");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 60 }), async (search) => {
        expect(Array.isArray((await listLatest(world.site, { limit: 1, search })).posts)).toBe(true);
      }),
    );
  });
});

test("featured stories exclude drafts", async () => {
  const shown = await write("Shown");
  const draft = await write("Kept back", { status: "inactive" });
  await write("Ordinary");
  await world.site.db.updateTable("posts").set({ featured: true }).where("id", "in", [shown, draft]).execute();
  expect((await listMarked(world.site, "featured", 6)).map((post) => post.title)).toEqual(["Shown"]);
});
