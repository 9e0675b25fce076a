import { afterEach, beforeEach, expect, test } from "vitest";
import { adjustLikes } from "#domain/moderation/posts/adjust-counts.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { password } from "../support/world.ts";
import { failure, ids, type OpenApi, openApi } from "./api.ts";
import { collection, upload, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
});
afterEach(() => api.close());

test("the text of a message with a file is kept; without one it is the file's name", async () => {
  const { maren, tobias } = api.world;
  const connection = await api.connect("appwrite 18.2.0", maren);
  const messages = collection(connection, "messages");
  const send = async (message: string) => messages.create("unique()", { receiverId: tobias.id, message, fileId: await upload(connection) });
  expect(await send("  Please look at this ")).toMatchObject({ message: "Please look at this", fileName: "cover.jpg" });
  expect(await send("")).toMatchObject({ message: "cover.jpg", fileName: "cover.jpg" });
});

test("changing password or preferences updates the account's dates", async () => {
  const { world } = api;
  const { account } = await api.connect("appwrite 27.0.0", world.maren);
  const before = await account.get();
  world.clock.advance(60_000);
  const now = new Date(world.site.now()).toISOString().replace("Z", "+00:00");
  const withPrefs = await account.updatePrefs({ colour: "blue" });
  expect([withPrefs.$updatedAt, withPrefs.passwordUpdate]).toEqual([now, before.passwordUpdate]);
  const changed = await account.updatePassword("another long password", password);
  expect([changed.$updatedAt, changed.passwordUpdate, changed.$createdAt]).toEqual([now, now, before.$createdAt]);
});

test("preferences have at most 65,535 bytes", async () => {
  const { account } = await api.connect("appwrite 27.0.0", api.world.maren);
  const longest = { a: "x".repeat(65_535 - '{"a":""}'.length) };
  await account.updatePrefs(longest);
  expect(await account.getPrefs()).toEqual(longest);
  expect(await failure(() => account.updatePrefs({ a: `${longest.a}x` }))).toMatchObject({ code: 400, type: "general_argument_invalid" });
});

test("errors have the protocol's texts", async () => {
  const { world } = api;
  const connection = await api.connect("appwrite 18.2.0", world.maren);
  const posts = collection(connection, "posts");
  const messages = collection(connection, "messages");
  const badId = await failure(() => posts.create("what is this?", { title: "A" }));
  expect(badId).toMatchObject({ code: 400, type: "general_argument_invalid" });
  expect(badId.message).toMatch(/^Invalid `documentId` param: Parameter must contain at most 36 chars\./);
  expect((await failure(() => posts.get("_a"))).message).toMatch(/^Invalid `documentId` param: UID must contain/);
  const { $id } = await messages.create("unique()", { receiverId: world.tobias.id, message: "Are you awake?" });
  expect((await failure(() => messages.update($id, { message: "New" }))).message).toBe(
    'Invalid document structure: Unknown attribute: "message"',
  );
  const tooLong = await failure(() => messages.create("unique()", { receiverId: world.tobias.id, message: "x".repeat(5001) }));
  expect(tooLong).toMatchObject({
    type: "document_invalid_structure",
    message: 'Invalid document structure: Attribute "message" has invalid type. Value must be a valid string and no longer than 5000 chars',
  });
});

test("a quoted phrase matches in order, other words anywhere", async () => {
  const connection = await api.connect("appwrite 27.0.0", api.world.tobias);
  const { Query } = connection.sdk;
  await writePost(api, "phrase", { title: "The lamp of our house", content: "The roof\nof OUR house leaks." });
  await writePost(api, "words", { title: "Our lamp", content: "A house of stone, our own; the roof is new." });
  const found = async (attribute: string, text: string) =>
    (await collection(connection, "posts").list([Query.search(attribute, text)])).documents.map(({ $id }) => $id).toSorted();
  expect(await found("content", "of our house")).toEqual(["phrase", "words"]);
  expect(await found("content", '"of our house"')).toEqual(["phrase"]);
  expect(await found("content", 'roof "of our house"')).toEqual(["phrase"]);
  expect(await found("title", '"our house"')).toEqual(["phrase"]);
  expect(await found("title", '"house our"')).toEqual([]);
  expect(await found("content", '""')).toEqual([]);
});

test("a story's picture has a record for viewers of the story", async () => {
  const { maren, tobias } = api.world;
  const posts = collection(await api.connect("appwrite 18.2.0", maren), "posts");
  await writePost(api, "shown");
  await writePost(api, "draft", { status: "inactive" });
  const [shown, draft] = [String((await posts.get("shown")).featuredImage), String((await posts.get("draft")).featuredImage)];
  const fileOf = async (id: string, who?: typeof maren) => (await api.connect("appwrite 18.2.0", who)).storage.getFile(ids.bucket, id);
  for (const who of [maren, tobias, undefined])
    expect(await fileOf(shown, who)).toMatchObject({ $id: shown, mimeType: "image/jpeg", chunksTotal: 1, chunksUploaded: 1 });
  expect((await fileOf(shown)).$permissions).toContain('read("any")');
  expect(await fileOf(draft, maren)).toMatchObject({ $id: draft });
  for (const who of [tobias, undefined]) expect(await failure(() => fileOf(draft, who))).toMatchObject({ code: 404 });
});

test("a file whose content doesn't match its name is refused on upload", async () => {
  const { storage } = await api.connect("appwrite 18.2.0", api.world.maren);
  const send = (name: string, text: string) => storage.createFile(ids.bucket, "unique()", new File([text], name));
  for (const name of ["page.pdf", "page.jpg", "page.png"])
    expect(await failure(() => send(name, "<script>alert(1)</script>"))).toMatchObject({
      code: 400,
      type: "storage_file_type_unsupported",
    });
  expect(await send("a.pdf", "%PDF-1.7\n")).toMatchObject({ name: "a.pdf", mimeType: "application/pdf" });
});

test("the likes of a story match its count, including adjusted ones with ids", async () => {
  const { site, ruth, tobias } = api.world;
  await writePost(api, "adjusted");
  await writePost(api, "plain");
  const connection = await api.connect("appwrite 18.2.0", api.world.maren);
  const { Query } = connection.sdk;
  const likes = collection(connection, "likes");
  for (const id of ["adjusted", "plain"]) await setLike(site, tobias, id, true);
  api.world.clock.advance(1000);
  await adjustLikes(site, ruth, "adjusted", 30);
  const of = (id: string, ...more: string[]) => likes.list([Query.equal("postId", id), Query.orderAsc("$createdAt"), ...more]);
  const first = await of("adjusted");
  expect([first.total, first.documents.length]).toEqual([31, 25]);
  expect(first.documents[0]).toMatchObject({ userId: tobias.id, postId: "adjusted" });
  expect(first.documents[1]?.userId).toMatch(/^admin_fake_user_\d+_\d+$/);
  const rest = await of("adjusted", Query.cursorAfter(String(first.documents.at(-1)?.$id)));
  const all = [...first.documents, ...rest.documents].map(({ $id }) => $id);
  expect([all.length, new Set(all).size]).toEqual([31, 31]);
  expect((await of("plain")).total).toBe(1);
  const added = first.documents[1];
  expect(added?.$permissions).toEqual(['read("any")']);
  expect(await likes.get(String(added?.$id))).toEqual(added);
  expect((await likes.list([Query.equal("$id", String(added?.$id))])).documents).toEqual([added]);
  await adjustLikes(site, ruth, "adjusted", -30);
  expect((await of("adjusted")).total).toBe(1);
});

test("$permissions list what the members of a record may do", async () => {
  const { world } = api;
  const [maren, tobias] = [world.maren.id, world.tobias.id];
  const connection = await api.connect("appwrite 18.2.0", world.tobias);
  const create = async (name: string, data: object) => (await collection(connection, name).create("unique()", data)).$permissions;
  await writePost(api, "a");
  await writePost(api, "draft", { status: "inactive" });
  const draft = await collection(await api.connect("appwrite 18.2.0", world.maren), "posts").get("draft");
  expect(draft.$permissions).toEqual([`read("user:${maren}")`, `update("user:${maren}")`, `delete("user:${maren}")`]);
  expect((await collection(connection, "profiles").get(maren)).$permissions).toEqual(['read("any")', `update("user:${maren}")`]);
  expect(await create("likes", { postId: "a" })).toEqual(['read("any")', `delete("user:${tobias}")`]);
  expect(await create("bookmarks", { postId: "a" })).toEqual([`read("user:${tobias}")`, `delete("user:${tobias}")`]);
  expect(await create("follows", { followedId: maren })).toEqual([
    `read("user:${tobias}")`,
    `delete("user:${tobias}")`,
    `read("user:${maren}")`,
  ]);
  expect(await create("reports", { kind: "post", subjectId: "a", reason: "spam" })).toEqual([`read("user:${tobias}")`]);
  expect(await create("messages", { receiverId: maren, message: "Are you awake?" })).toEqual([
    `read("user:${tobias}")`,
    `delete("user:${tobias}")`,
    `read("user:${maren}")`,
    `update("user:${maren}")`,
    `delete("user:${maren}")`,
  ]);
  expect((await collection(connection, "conversations").list()).documents[0]?.$permissions).toEqual([`read("user:${tobias}")`]);
});
