import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket as Socket } from "ws";
import { deleteAccount } from "#domain/account-deletion/delete-account.server.ts";
import type { ApiKeyScope } from "#domain/accounts/api-keys/api-key.ts";
import { createApiKey, createApiKeyFor, listApiKeys, revokeApiKey } from "#domain/accounts/api-keys/api-keys.server.ts";
import { writePrefs } from "#domain/accounts/changes.server.ts";
import { resetSecurity } from "#domain/accounts/security/security-state.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { type Member, transaction } from "#domain/site.ts";
import { password } from "../support/world.ts";
import { failure, ids, type OpenApi, openApi } from "./api.ts";
import { collection, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
});
afterEach(() => api.close());

const day = 86_400_000;
const wanted = { name: "Reader", scopes: ["read"] as ApiKeyScope[], days: 30 };

const keyOf = async (who: Member, ...scopes: ApiKeyScope[]) =>
  createApiKey(api.world.site, who, null, { name: "Program", scopes, days: 30, password });

/** The official server client with a key. */
async function program(key: string) {
  const connection = await api.connect("node-appwrite 27.1.0");
  (connection.client as unknown as { setKey(key: string): void }).setKey(key);
  return {
    ...connection,
    posts: collection(connection, "posts"),
    likes: collection(connection, "likes"),
    profiles: collection(connection, "profiles"),
  };
}

const missing = (scope: string) => ({ code: 401, type: "general_unauthorized_scope", message: expect.stringContaining(`(${scope})`) });

describe("a key", () => {
  test("is created with the password, shown once, stored as a hash, and listed with its last use", async () => {
    const { site, maren, tobias, clock } = api.world;
    await expect(createApiKey(site, maren, null, { ...wanted, password: "wrong" })).rejects.toMatchObject({ field: "password" });
    const secret = await createApiKey(site, maren, null, { ...wanted, password });
    expect(JSON.stringify(await site.db.selectFrom("api_keys").selectAll().execute())).not.toContain(secret);
    const [key] = await listApiKeys(site, maren);
    expect(key).toMatchObject({ name: "Reader", scopes: ["read"], expiresAt: site.now() + 30 * day, lastUsedAt: null });
    expect(await listApiKeys(site, tobias)).toEqual([]);
    const { account } = await program(secret);
    const usedAt = site.now();
    await account.get();
    clock.advance(30_000);
    await account.get();
    expect((await listApiKeys(site, maren))[0]?.lastUsedAt).toBe(usedAt);
    clock.advance(31_000);
    await account.get();
    expect((await listApiKeys(site, maren))[0]?.lastUsedAt).toBe(usedAt + 61_000);
  });

  test("counts towards a limit of twenty", async () => {
    const { site, maren } = api.world;
    await Promise.allSettled(Array.from({ length: 23 }, () => createApiKeyFor(site, maren.email, wanted)));
    expect(await listApiKeys(site, maren)).toHaveLength(20);
    await expect(createApiKey(site, maren, null, { ...wanted, password })).rejects.toMatchObject({ code: "conflict" });
  });

  test.each([
    ["no name", { ...wanted, name: " " }],
    ["a long name", { ...wanted, name: "x".repeat(101) }],
    ["no scope", { ...wanted, scopes: [] }],
    ["no end", { ...wanted, days: Number.NaN }],
    ["an end beyond a year", { ...wanted, days: 366 }],
  ])("with %s is refused", async (_what, asked) => {
    await expect(createApiKey(api.world.site, api.world.maren, null, { ...asked, password })).rejects.toMatchObject({ code: "invalid" });
  });

  test("with the scope moderate requires staff", async () => {
    const asked = { ...wanted, scopes: ["moderate" as const], password };
    await expect(createApiKey(api.world.site, api.world.maren, null, asked)).rejects.toMatchObject({ code: "not-allowed" });
  });
});

describe("with a key a program can", () => {
  test("only read with the scope read", async () => {
    await writePost(api, "draft", { status: "inactive" });
    const { posts, likes, account } = await program(await keyOf(api.world.maren, "read"));
    expect((await posts.list()).total).toBe(1);
    expect(await account.get()).toMatchObject({ $id: api.world.maren.id, email: "", targets: [] });
    expect(await failure(() => posts.update("draft", { title: "New" }))).toMatchObject(missing("write"));
    expect(await failure(() => posts.remove("draft"))).toMatchObject(missing("write"));
    expect(await failure(() => likes.create("unique()", { postId: "draft" }))).toMatchObject(missing("write"));
    expect(await failure(() => account.updatePrefs({ a: 1 }))).toMatchObject(missing("write"));
  });

  test("write the owner's records, but not read with the scope write only", async () => {
    await writePost(api, "own");
    const { posts, account } = await program(await keyOf(api.world.maren, "write"));
    expect(await posts.update("own", { title: "Changed by a program" })).toMatchObject({ title: "Changed by a program" });
    await account.updateName("Maren Program");
    expect(await failure(() => posts.get("own"))).toMatchObject(missing("read"));
  });

  test("use staff permissions only with the scope moderate", async () => {
    await writePost(api, "draft", { status: "inactive" });
    await writePost(api, "open");
    const { ruth } = api.world;
    const plain = await program(await keyOf(ruth, "read", "write"));
    expect(await failure(() => plain.posts.get("draft"))).toMatchObject({ code: 404 });
    expect(await failure(() => plain.posts.update("open", { featured: true }))).toMatchObject({ code: 401 });
    const staff = await program(await keyOf(ruth, "read", "write", "moderate"));
    expect(await staff.posts.get("draft")).toMatchObject({ $id: "draft" });
    expect(await staff.posts.update("open", { featured: true })).toMatchObject({ featured: true });
    const withoutWrite = await program(await keyOf(ruth, "read", "moderate"));
    expect(await failure(() => withoutWrite.posts.update("open", { featured: false }))).toMatchObject(missing("write"));
  });

  test("never change the account's security", async () => {
    const { account } = await program(await keyOf(api.world.ruth, "read", "write", "moderate"));
    const url = api.endpoint;
    const tries: (() => Promise<unknown>)[] = [
      () => account.updateEmail("new@example.com", password),
      () => account.updatePassword("another password 7", password),
      () => account.listSessions(),
      () => account.getSession("current"),
      () => account.updateSession("current"),
      () => account.deleteSession("current"),
      () => account.deleteSessions(),
      () => account.createJWT(),
      () => account.createVerification(url),
      () => account.updateVerification("a", "b"),
      () => account.createRecovery("ruth@example.com", url),
      () => account.updateRecovery("a", "b", "another password 7"),
    ];
    for (const each of tries) expect(await failure(each)).toMatchObject(missing("account.security"));
  });

  test("do nothing if it is removed, expired or invalid", async () => {
    const { site, maren, clock } = api.world;
    const refused = async (key: string) =>
      expect(await failure(() => program(key).then(({ account }) => account.get()))).toMatchObject({ code: 401 });
    const removed = await keyOf(maren, "read");
    await revokeApiKey(site, api.world.tobias, null, (await listApiKeys(site, maren))[0]?.id ?? "");
    await (await program(removed)).account.get();
    await revokeApiKey(site, maren, null, (await listApiKeys(site, maren))[0]?.id ?? "");
    await refused(removed);
    const reset = await keyOf(maren, "read");
    await transaction(site, (tx) => resetSecurity(tx, maren.id));
    await refused(reset);
    const over = await keyOf(maren, "read");
    clock.advance(30 * day);
    await refused(over);
    for (const key of ["ink_x", "x", await api.signIn(maren), "ink_".padEnd(5_000, "x")]) await refused(key);
  });

  test("do what a suspended owner may, and nothing once the account is deleted", async () => {
    const { site, ruth, maren } = api.world;
    await writePost(api, "own");
    const { posts, account } = await program(await keyOf(maren, "read", "write"));
    await suspendMember(site, ruth, maren.id, { days: 3, reason: "Advertisements" });
    expect(await posts.get("own")).toMatchObject({ $id: "own" });
    expect(await failure(() => posts.update("own", { title: "No" }))).toMatchObject({ code: 401 });
    await deleteAccount(site, maren, password);
    expect(await failure(() => account.get())).toMatchObject({ code: 401 });
    expect(await site.db.selectFrom("api_keys").selectAll().execute()).toEqual([]);
  });
});

describe("on a socket", () => {
  test.each([
    [["read"] as const, true],
    [["write"] as const, false],
  ])("a key that may %s is its owner: %s", async (scopes, isOwner) => {
    const key = await keyOf(api.world.maren, ...scopes);
    const socket = new Socket(`${api.endpoint.replace("http", "ws")}/realtime?project=${ids.project}&channels[]=account`, {
      headers: { "x-appwrite-key": key },
    });
    type Data = { user?: { email: string } | null; payload?: { email: string } };
    const frames: Data[] = [];
    socket.on("message", (data) => frames.push((JSON.parse(String(data)) as { data: Data }).data));
    await expect.poll(() => frames.length).toBe(1);
    expect(frames[0]?.user?.email).toBe(isOwner ? "" : undefined);
    if (isOwner) {
      await writePrefs(api.world.site, api.world.maren, { a: 1 });
      await expect.poll(() => frames.map(({ payload }) => payload?.email)).toEqual([undefined, ""]);
    }
    socket.terminate();
  });
});
