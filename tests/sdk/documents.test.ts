import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readForEditing } from "#domain/posts/update-post.server.ts";
import { everySdk, failure, type OpenApi, openApi, type SdkName } from "./api.ts";
import { collection, upload, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
  // Visitors list all stories here.
  Object.assign(api.world.site.settings, { publicStoryListing: true });
});
afterEach(() => api.close());

const write = (slug: string, chosen = {}) => writePost(api, slug, chosen);

describe.each(everySdk)("documents with %s", (name: SdkName) => {
  const as = async (who: "maren" | "tobias" | "ruth" | "salma" | undefined, of = "posts") =>
    collection(await api.connect(name, who && api.world[who]), of);

  test("35, 36 and 37 createDocument returns 201 with the complete document", async () => {
    const maren = await api.connect(name, api.world.maren);
    const posts = collection(maren, "posts");
    const data = {
      title: "Night bus",
      content: "<p>Late.</p>",
      featuredImage: await upload(maren),
      status: "inactive",
      userId: api.world.maren.id,
      userName: "x",
    };
    const document = await posts.create(maren.sdk.ID.unique(), data);
    expect(document).toMatchObject({
      title: "Night bus",
      content: "<p>Late.</p>",
      status: "inactive",
      userId: api.world.maren.id,
      userName: "Maren Oduya",
    });
    expect(document).toMatchObject({
      $databaseId: "main",
      $collectionId: "posts",
      views: 0,
      likesCount: 0,
      bookmarksCount: 0,
      featured: false,
    });
    const own = `user:${api.world.maren.id}`;
    expect(document.$permissions).toEqual([`read("${own}")`, `update("${own}")`, `delete("${own}")`]);
    const next = await posts.create("another-night", { ...data, featuredImage: await upload(maren) });
    expect(typeof document.$sequence).toBe(name === "appwrite 18.2.0" ? "number" : "string");
    expect(Number(next.$sequence)).toBeGreaterThan(Number(document.$sequence));
    expect(next.$id).toBe("another-night");
    expect(await posts.get("another-night")).toEqual(next);
  });

  test("38 members can't grant permissions to others", async () => {
    await write("a");
    const likes = await as("tobias", "likes");
    const error = await failure(() => likes.create("unique()", { postId: "a" }, ['read("user:somebody")']));
    expect(error).toMatchObject({ code: 401, type: "user_unauthorized" });
    expect(error.message).toMatch(/^Permissions must be one of: \(any, users, user:/);
    const create = await failure(() => likes.create("unique()", { postId: "a" }, ['create("any")']));
    expect(create).toMatchObject({ code: 400, type: "general_argument_invalid" });
  });

  test("39 an existing id is 409, an invalid one 400", async () => {
    await write("a");
    await write("b");
    const likes = await as("tobias", "likes");
    await likes.create("first", { postId: "a" });
    expect(await failure(() => likes.create("first", { postId: "b" }))).toMatchObject({ code: 409, type: "document_already_exists" });
    for (const id of ["_leading", "x".repeat(37)])
      expect(await failure(() => likes.create(id, { postId: "b" }))).toMatchObject({ code: 400, type: "general_argument_invalid" });
    const posts = await as("maren");
    const taken = await failure(async () =>
      posts.create("a", { title: "A", featuredImage: await upload(await api.connect(name, api.world.maren)) }),
    );
    expect(taken).toMatchObject({ code: 409, type: "document_already_exists" });
    const sent = { title: "C", featuredImage: await upload(await api.connect(name, api.world.maren)) };
    await posts.create("c", sent);
    expect(await failure(() => posts.create("c", sent))).toMatchObject({ code: 409, type: "document_already_exists" });
  });

  test("40 invalid attributes are 400", async () => {
    const posts = await as("maren");
    const refused = async (data: object, message: string) =>
      expect(await failure(() => posts.create("a", data))).toMatchObject({
        code: 400,
        type: "document_invalid_structure",
        message: `Invalid document structure: ${message}`,
      });
    await refused({ content: "x", featuredImage: "f" }, 'Missing required attribute "title"');
    await refused({ title: "A", featuredImage: "f", foo: 1 }, 'Unknown attribute: "foo"');
    await refused({ title: 5, featuredImage: "f" }, 'Attribute "title" has invalid type. Value must be a valid string');
    await refused({ title: "x".repeat(201), featuredImage: "f" }, "Title cannot exceed 200 characters");
    await refused({ title: "A", featuredImage: "nobodys" }, "You didn’t upload the file with this id");
    expect(await failure(() => posts.create("a", {}))).toMatchObject({ code: 400, type: "document_missing_data" });
  });

  test("41 unreadable documents are 404", async () => {
    await write("secret", { status: "inactive" });
    for (const who of ["tobias", undefined] as const) {
      const posts = await as(who);
      for (const id of ["secret", "missing"])
        expect(await failure(() => posts.get(id))).toMatchObject({ code: 404, type: "document_not_found" });
      expect(await failure(() => posts.remove("secret"))).toMatchObject({ code: 404 });
      expect(await posts.list()).toMatchObject({ total: 0, documents: [] });
    }
    for (const who of ["maren", "ruth"] as const) expect((await (await as(who)).list()).total).toBe(1);
  });

  test("42 updateDocument changes the given attributes", async () => {
    const profiles = await as("maren", "profiles");
    const { id } = api.world.maren;
    const before = await profiles.get(id);
    api.world.clock.advance(1000);
    const after = await profiles.update(id, { bio: "Writes at night.", linkedin: "maren" });
    expect(after).toMatchObject({ bio: "Writes at night.", linkedIn: "maren", userName: before.userName, $createdAt: before.$createdAt });
    expect(after.$updatedAt > before.$updatedAt).toBe(true);
    expect(await failure(() => profiles.update(id, {}))).toMatchObject({ code: 400, type: "document_missing_payload" });
  });

  test("42 authors update single attributes of their stories", async () => {
    await write("a", { content: "Some *words*." });
    const maren = await api.connect(name, api.world.maren);
    const posts = collection(maren, "posts");
    expect(await posts.update("a", { title: "Another title" })).toMatchObject({
      title: "Another title",
      content: "<p>Some <em>words</em>.</p>",
    });
    expect(await posts.update("a", { content: "<h2>Part</h2><p>One<script>x</script></p>", status: "inactive" })).toMatchObject({
      content: "<h2>Part</h2><p>One</p>",
      status: "inactive",
      title: "Another title",
    });
    // Its HTML is kept when other attributes of the story change.
    const html = '<p>2 * 3 * 4, <a href="https://example.com" rel="nofollow noopener ugc">as <u>you</u> know</a></p>\n    <p>Indented</p>';
    expect(await posts.update("a", { content: html })).toMatchObject({ content: html });
    expect(await posts.update("a", { title: "Another title", content: html })).toMatchObject({ content: html });
    expect(await posts.update("a", { title: "A third title" })).toMatchObject({ content: html });
    expect((await readForEditing(api.world.site, api.world.maren, "a")).content).toBe(
      "2 \\* 3 \\* 4, [as <u>you</u> know](https://example.com)\n\nIndented",
    );
    await posts.update("a", { title: "Another title" });
    const before = (await posts.get("a")).featuredImage;
    const changed = await posts.update("a", { featuredImage: await upload(maren), status: "active" });
    expect(changed).toMatchObject({ status: "active", title: "Another title" });
    expect(changed.featuredImage).not.toBe(before);
    const tobias = await as("tobias");
    expect(await failure(() => tobias.update("a", { title: "Mine" }))).toMatchObject({ code: 401, type: "user_unauthorized" });
    expect(await failure(() => posts.update("a", { userId: api.world.tobias.id }))).toMatchObject({ code: 401 });
    expect(await (await as("ruth")).update("a", { featured: true })).toMatchObject({ featured: true });
  });

  test("an update without data needs the same permission", async () => {
    await write("a");
    const { id } = api.world.maren;
    const permissions = ['read("any")'];
    for (const who of ["tobias", undefined] as const) {
      const refused = { code: 401, type: "user_unauthorized" };
      expect(await failure(async () => (await as(who)).update("a", undefined, permissions))).toMatchObject(refused);
      expect(await failure(async () => (await as(who, "profiles")).upsert(id, {}))).toMatchObject(refused);
    }
    for (const who of ["maren", "ruth"] as const)
      expect(await (await as(who)).update("a", undefined, permissions)).toMatchObject({ $id: "a" });
    expect(await (await as("maren", "profiles")).upsert(id, {})).toMatchObject({ $id: id });
  });

  test("an invalid change of a story by staff changes nothing", async () => {
    await write("a");
    const posts = await as("ruth");
    const before = await posts.get("a");
    for (const invalid of [{ title: "" }, { views: -1 }, { featuredImage: "nobodys" }])
      expect(await failure(() => posts.update("a", { featured: true, pinned: true, ...invalid }))).toMatchObject({ code: 400 });
    expect(await posts.get("a")).toEqual(before);
    expect(await posts.update("a", { title: "Another title", featured: true })).toMatchObject({ title: "Another title", featured: true });
  });

  test("disabled features and maintenance apply to the API", async () => {
    await write("a");
    const { settings } = api.world.site;
    settings.enableLikes = false;
    const likes = await as("tobias", "likes");
    expect(await failure(() => likes.create("unique()", { postId: "a" }))).toMatchObject({
      code: 401,
      message: "Likes are turned off on this site",
    });
    Object.assign(settings, { maintenanceMode: true, maintenanceMessage: "Back at noon" });
    const closed = await failure(() => likes.list());
    expect(closed).toMatchObject({ code: 503, type: "general_maintenance", message: "Back at noon" });
    expect((await (await as("ruth")).list()).total).toBe(1);
    const { account } = await api.connect(name);
    settings.allowRegistration = false;
    settings.maintenanceMode = false;
    const refused = await failure(() => account.create("unique()", "new@example.com", "a long password", "New"));
    expect(refused).toMatchObject({ code: 401, message: "Registration is closed" });
  });

  test("43 upsertDocument creates, then updates", async () => {
    await write("a");
    const likes = await as("tobias", "likes");
    for (let times = 0; times < 2; times++)
      expect(await likes.upsert("mine", { postId: "a" })).toMatchObject({ $id: "mine", postId: "a", userId: api.world.tobias.id });
    const profiles = await as("tobias", "profiles");
    await profiles.upsert(api.world.tobias.id, { bio: "Reads.", location: "Lund" });
    expect(await profiles.upsert(api.world.tobias.id, { bio: "Reads a lot." })).toMatchObject({ bio: "Reads a lot.", location: "Lund" });
  });

  test("44 administrators increment and decrement within limits", async () => {
    await write("a");
    const posts = await as("ruth");
    expect(await posts.increment("a", "views", 5)).toMatchObject({ views: 5 });
    expect(await posts.increment("a", "views")).toMatchObject({ views: 6 });
    expect(await posts.decrement("a", "views", 2, 0)).toMatchObject({ views: 4 });
    const beyond = { code: 400, type: "attribute_limit_exceeded" };
    expect(await failure(() => posts.increment("a", "views", 7, 10))).toMatchObject({
      ...beyond,
      message: 'Attribute "views" has reached the maximum value of 10',
    });
    expect(await failure(() => posts.decrement("a", "views", 9, 0))).toMatchObject(beyond);
    expect(await failure(() => posts.increment("a", "title"))).toMatchObject({ code: 400, type: "attribute_type_invalid" });
    expect(await failure(() => posts.increment("a", "unknown"))).toMatchObject({ code: 404, type: "attribute_not_found" });
    expect(await failure(() => posts.increment("missing", "views"))).toMatchObject({ code: 404, type: "attribute_not_found" });
    expect(await failure(() => posts.increment("a", "views", 0))).toMatchObject({ code: 400, type: "general_argument_invalid" });
  });

  test("44 a reader's view counts once in half an hour", async () => {
    await write("a");
    const posts = await as("tobias");
    await posts.increment("a", "views", 1000);
    await posts.update("a", { views: 5000 });
    expect(await posts.get("a")).toMatchObject({ views: 1 });
    expect(await failure(() => posts.increment("a", "likesCount"))).toMatchObject({ code: 401, type: "user_unauthorized" });
    expect(await failure(() => posts.update("a", { featured: true }))).toMatchObject({ code: 401, type: "user_unauthorized" });
  });

  test("content is sanitized", async () => {
    const maren = await api.connect(name, api.world.maren);
    const content = '<p onclick="x()">Hi<script>alert(1)</script></p><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">a</a>';
    const document = await collection(maren, "posts").create("unsafe", { title: "A", content, featuredImage: await upload(maren) });
    expect(String(document.content)).not.toMatch(/script|onclick|onerror|javascript/);
    expect(document.content).toContain("Hi");
  });

  test("unknown databases and collections are 404", async () => {
    const { databases } = await api.connect(name);
    expect(await failure(() => databases.listDocuments("other", "posts"))).toMatchObject({ code: 404, type: "database_not_found" });
    expect(await failure(() => databases.listDocuments("main", "other"))).toMatchObject({ code: 404, type: "collection_not_found" });
  });
});
