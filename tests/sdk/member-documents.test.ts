import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setBlocked } from "#domain/messages/blocking.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { everySdk, failure, ids, type OpenApi, openApi, type SdkName } from "./api.ts";
import { collection, upload, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
  // Visitors list all stories here.
  Object.assign(api.world.site.settings, { publicStoryListing: true });
});
afterEach(() => api.close());

const write = (slug: string, chosen = {}) => writePost(api, slug, chosen);

describe.each(everySdk)("members' records with %s", (name: SdkName) => {
  const as = async (who: "maren" | "tobias" | "ruth" | "salma" | undefined, of = "posts") =>
    collection(await api.connect(name, who && api.world[who]), of);

  test("a like is created once", async () => {
    await write("a");
    const likes = await as("tobias", "likes");
    const like = await likes.create("unique()", { postId: "a", userId: api.world.tobias.id });
    expect(await likes.create("unique()", { postId: "a" })).toEqual(like);
    expect(await (await as(undefined)).get("a")).toMatchObject({ likesCount: 1 });
    expect(await likes.remove(like.$id)).toEqual({ message: "" });
    expect(await (await as(undefined)).get("a")).toMatchObject({ likesCount: 0 });
  });

  test("members can't write for others or delete others' records", async () => {
    await write("a");
    const [tobias, salma] = [await as("tobias", "likes"), await as("salma", "likes")];
    const like = await tobias.create("unique()", { postId: "a" });
    const refused = { code: 401, type: "user_unauthorized" };
    expect(await failure(() => salma.create("unique()", { postId: "a", userId: api.world.tobias.id }))).toMatchObject(refused);
    expect(await failure(() => salma.remove(like.$id))).toMatchObject(refused);
    expect(await failure(async () => (await as(undefined, "likes")).create("unique()", { postId: "a" }))).toMatchObject(refused);
    expect(await failure(async () => (await as("tobias")).remove("a"))).toMatchObject(refused);
    expect(await failure(async () => (await as("tobias", "profiles")).update(api.world.maren.id, { bio: "x" }))).toMatchObject(refused);
  });

  test("bookmarks are visible to their member only", async () => {
    await write("a");
    const tobias = await as("tobias", "bookmarks");
    const bookmark = await tobias.create("unique()", { postId: "a" });
    expect((await tobias.list()).total).toBe(1);
    for (const who of ["maren", "ruth", undefined] as const) {
      const other = await as(who, "bookmarks");
      expect((await other.list()).total).toBe(0);
      expect(await failure(() => other.get(bookmark.$id))).toMatchObject({ code: 404 });
    }
    expect(await (await as(undefined)).get("a")).toMatchObject({ bookmarksCount: 1 });
  });

  test("reports are visible to their member and administrators, who close them", async () => {
    await write("a");
    const tobias = await as("tobias", "reports");
    const report = await tobias.create("unique()", { kind: "post", subjectId: "a", reason: "spam" });
    expect(report).toMatchObject({ reporterId: api.world.tobias.id, ownerId: api.world.maren.id, status: "pending", excerpt: "Story a" });
    expect((await (await as("maren", "reports")).list()).total).toBe(0);
    expect(await failure(() => tobias.update(report.$id, { status: "resolved" }))).toMatchObject({ code: 401, type: "user_unauthorized" });
    const ruth = await as("ruth", "reports");
    expect(await ruth.update(report.$id, { status: "resolved" })).toMatchObject({ status: "resolved" });
    const own = await failure(async () =>
      (await as("maren", "reports")).create("unique()", { kind: "post", subjectId: "a", reason: "spam" }),
    );
    expect(own).toMatchObject({ code: 401 });
  });

  test("the report of a held story stays open, and a settled one isn't reopened next to a newer one", async () => {
    await write("a");
    const [tobias, ruth] = [await as("tobias", "reports"), await as("ruth", "reports")];
    const reported = () => tobias.create("unique()", { kind: "post", subjectId: "a", reason: "spam" });
    const first = await reported();
    await ruth.update(first.$id, { status: "dismissed" });
    const second = await reported();
    expect(await failure(() => ruth.update(first.$id, { status: "pending" }))).toMatchObject({ code: 409 });
    await holdPost(api.world.site, api.world.ruth, "a", { reason: "It advertises." });
    expect(await failure(() => ruth.update(second.$id, { status: "resolved" }))).toMatchObject({ code: 409 });
    expect(await ruth.get(second.$id)).toMatchObject({ status: "pending" });
  });

  test("messages are visible to both people, and a retry is the same message", async () => {
    const { maren, tobias } = api.world;
    const [sender, receiver] = [await as("maren", "messages"), await as("tobias", "messages")];
    const message = await sender.create("made-by-me", {
      receiverId: tobias.id,
      senderId: maren.id,
      message: "Are you awake?",
      isRead: false,
    });
    expect(message).toMatchObject({ senderId: maren.id, receiverId: tobias.id, message: "Are you awake?", isRead: false, fileId: null });
    expect(await sender.create("made-by-me", { receiverId: tobias.id, message: "Are you awake?" })).toEqual(message);
    const { Query } = (await api.connect(name)).sdk;
    const both = Query.or([
      Query.and([Query.equal("senderId", maren.id), Query.equal("receiverId", tobias.id)]),
      Query.and([Query.equal("senderId", tobias.id), Query.equal("receiverId", maren.id)]),
    ]);
    expect((await receiver.list([both, Query.orderDesc("$createdAt"), Query.limit(50)])).documents.map((each) => each.$id)).toEqual([
      message.$id,
    ]);
    expect((await receiver.list([Query.equal("receiverId", tobias.id), Query.equal("isRead", false)])).total).toBe(1);
    expect(await failure(() => sender.update(message.$id, { isRead: true }))).toMatchObject({ code: 401 });
    expect(await receiver.update(message.$id, { isRead: true })).toMatchObject({ isRead: true });
    for (const who of ["salma", undefined] as const) {
      const other = await as(who, "messages");
      expect((await other.list()).total).toBe(0);
      expect(await failure(() => other.get(message.$id))).toMatchObject({ code: 404, type: "document_not_found" });
    }
    expect(await failure(() => receiver.create("x", { receiverId: maren.id, senderId: maren.id, message: "x" }))).toMatchObject({
      code: 401,
    });
    expect(await failure(() => sender.create("x", { receiverId: tobias.id, message: "  " }))).toMatchObject({ code: 400 });
    const unconfirmed = await as("salma", "messages");
    expect(await failure(() => unconfirmed.create("x", { receiverId: tobias.id, message: "x" }))).toMatchObject({ code: 401 });
  });

  test("a blocked sender gets the usual response, and the receiver nothing", async () => {
    const { maren, tobias, site } = api.world;
    const [sender, receiver] = [await as("maren", "messages"), await as("tobias", "messages")];
    const usual = await sender.create("unique()", { receiverId: tobias.id, message: "One" });
    await setBlocked(site, tobias, maren.id, true);
    const withheld = await sender.create("unique()", { receiverId: tobias.id, message: "Two" });
    expect(Object.keys(withheld)).toEqual(Object.keys(usual));
    expect(withheld).toMatchObject({ number: 2, isRead: false });
    expect((await sender.list()).total).toBe(2);
    expect((await (await as("maren", "conversations")).list()).documents).toMatchObject([{ lastMessage: "Two" }]);
    expect((await receiver.list()).documents.map(({ $id }) => $id)).toEqual([usual.$id]);
    expect(await failure(() => receiver.get(withheld.$id))).toMatchObject({ code: 404 });
    expect((await (await as("tobias", "conversations")).list()).documents).toMatchObject([{ lastMessage: "One", unreadCount: 1 }]);
  });

  test("a message has its file, both are deleted together, and conversations show the last message", async () => {
    const { maren, tobias } = api.world;
    const connection = await api.connect(name, maren);
    const sender = collection(connection, "messages");
    const receiver = await as("tobias", "messages");
    const fileId = await upload(connection, "to-send");
    const send = { receiverId: tobias.id, message: "", fileId };
    const message = await sender.create("with-a-file", send);
    expect(message).toMatchObject({ fileName: "cover.jpg", fileType: "image/jpeg", message: "cover.jpg" });
    expect(await sender.create("with-a-file", send)).toEqual(message);
    const got = await (await api.connect(name, tobias)).storage.getFileDownload(ids.bucket, String(message.fileId));
    expect(got).toBeTruthy();
    const of = async (who: "tobias" | "maren" | "salma" | "ruth") => (await (await as(who, "conversations")).list()).documents;
    expect(await of("tobias")).toMatchObject([
      { partnerId: maren.id, partnerName: "Maren Oduya", unreadCount: 1, lastMessage: "cover.jpg" },
    ]);
    expect(await of("salma")).toEqual([]);
    expect(await of("ruth")).toEqual([]);
    const conversations = await as("tobias", "conversations");
    expect(await failure(() => conversations.create("unique()", { partnerId: maren.id }))).toMatchObject({
      code: 401,
      type: "user_unauthorized",
    });
    const { Query } = (await api.connect(name)).sdk;
    expect((await receiver.list([Query.search("message", "COVER")])).total).toBe(1);
    await receiver.remove(message.$id);
    expect((await sender.list()).total).toBe(0);
    expect(await failure(() => sender.get(message.$id))).toMatchObject({ code: 404 });
  });

  test("a change of a profile whose picture can't be used saves nothing and keeps the upload", async () => {
    const { maren } = api.world;
    const connection = await api.connect(name, maren);
    const profiles = collection(connection, "profiles");
    const { storage } = connection;
    const { $id: notes } = await storage.createFile(ids.bucket, "unique()", new File(["Not a picture"], "notes.doc"));
    const before = await profiles.get(maren.id);
    expect(await failure(() => profiles.update(maren.id, { bio: "Rows to work", profileImage: notes }))).toMatchObject({
      code: 400,
      type: "document_invalid_structure",
    });
    expect(await profiles.get(maren.id)).toEqual(before);
    expect(await storage.getFile(ids.bucket, notes)).toMatchObject({ name: "notes.doc" });
    const avatar = await upload(connection);
    expect(await profiles.update(maren.id, { profileImage: avatar })).toMatchObject({ bio: "", profileImage: expect.any(String) });
  });

  test("simultaneous changes of different fields of a profile are all saved", async () => {
    const { maren } = api.world;
    const profiles = await as("maren", "profiles");
    const changes = {
      bio: "Rows to work",
      location: "Stornoway",
      website: "https://maren.example.com",
      github: "maren",
      userName: "M. O.",
    };
    await Promise.all(Object.entries(changes).map(([field, value]) => profiles.update(maren.id, { [field]: value })));
    expect(await profiles.get(maren.id)).toMatchObject(changes);
  });

  test("a follow is created once, by its member, and visible to both", async () => {
    const { maren, tobias } = api.world;
    const follows = await as("tobias", "follows");
    const follow = await follows.create("unique()", { followedId: maren.id });
    expect(follow).toMatchObject({ followerId: tobias.id, followedId: maren.id });
    expect(await follows.create("unique()", { followedId: maren.id, followerId: tobias.id })).toEqual(follow);
    expect((await (await as("maren", "follows")).list()).total).toBe(1);
    expect((await (await as("salma", "follows")).list()).total).toBe(0);
    expect(await failure(async () => (await as("maren", "follows")).remove(follow.$id))).toMatchObject({ code: 401 });
    expect(await failure(() => follows.create("unique()", { followedId: maren.id, followerId: maren.id }))).toMatchObject({ code: 401 });
    await follows.remove(follow.$id);
    expect((await follows.list()).total).toBe(0);
  });
});
