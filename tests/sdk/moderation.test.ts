import { afterEach, beforeEach, expect, test } from "vitest";
import { removeEndedSuspensions, suspendMember } from "#domain/moderation/suspensions.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { days } from "#platform/time.ts";
import { addMember } from "../support/world.ts";
import { failure, type OpenApi, openApi } from "./api.ts";
import { collection, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
  await writePost(api, "night-bus", { title: "Night bus" });
});
afterEach(() => api.close());

const as = async (who: "maren" | "tobias" | "ruth", of = "posts") =>
  collection(await api.connect("node-appwrite 27.1.0", api.world[who]), of);

test("a held story is a draft that its author sees and can't publish", async () => {
  const { site, ruth } = api.world;
  await holdPost(site, ruth, "night-bus", { reason: "why" });
  const [maren, tobias] = [await as("maren"), await as("tobias")];
  expect(await failure(() => tobias.get("night-bus"))).toMatchObject({ code: 404 });
  expect((await tobias.list()).total).toBe(0);
  expect(await maren.get("night-bus")).toMatchObject({ status: "inactive" });
  expect(await failure(() => maren.update("night-bus", { status: "active" }))).toMatchObject({ code: 401 });
  expect(await failure(() => maren.update("night-bus", { title: "Day bus", status: "active" }))).toMatchObject({ code: 401 });
  expect(await maren.update("night-bus", { title: "Day bus" })).toMatchObject({ title: "Day bus", status: "inactive" });
  expect(await (await as("ruth")).update("night-bus", { status: "active" })).toMatchObject({ status: "active" });
});

test("a moderator who unpublishes a story gets it back as a draft, and can't read it then", async () => {
  const mona = await addMember(api.world, "Mona Moderates", { staff: "moderator" });
  const posts = collection(await api.connect("node-appwrite 27.1.0", mona), "posts");
  const { $permissions, ...answer } = await posts.update("night-bus", { status: "inactive" });
  expect(answer).toMatchObject({ title: "Night bus", status: "inactive" });
  expect($permissions).not.toContain('read("any")');
  expect(await failure(() => posts.get("night-bus"))).toMatchObject({ code: 404 });
});

test("a story deleted by an administrator can be restored: gone for others, a draft for its author", async () => {
  await (await as("ruth")).remove("night-bus");
  expect(await failure(async () => (await as("tobias")).get("night-bus"))).toMatchObject({ code: 404 });
  expect(await (await as("maren")).get("night-bus")).toMatchObject({ status: "inactive" });
});

test("a suspended member can read but not write, and others don't see the profile", async () => {
  const { site, ruth, maren, tobias, clock } = api.world;
  const [posts, likes, messages] = [await as("maren"), await as("maren", "likes"), await as("maren", "messages")];
  await suspendMember(site, ruth, maren.id, { days: 1, reason: "why" });
  expect(await posts.get("night-bus")).toMatchObject({ title: "Night bus" });
  for (const write of [
    () => posts.update("night-bus", { title: "x" }),
    () => likes.create("unique()", { postId: "night-bus" }),
    () => messages.create("unique()", { receiverId: tobias.id, message: "Hello" }),
  ])
    expect(await failure(write)).toMatchObject({ code: 401 });
  expect(await (await as("maren", "profiles")).get(maren.id)).toMatchObject({ userName: "Maren Oduya" });
  expect(await failure(async () => (await as("tobias", "profiles")).get(maren.id))).toMatchObject({ code: 404 });
  clock.advance(days(1) - 1);
  await removeEndedSuspensions(site);
  expect(await failure(async () => (await as("tobias", "profiles")).get(maren.id))).toMatchObject({ code: 404 });
  clock.advance(1);
  await removeEndedSuspensions(site);
  expect(await (await as("tobias", "profiles")).get(maren.id)).toMatchObject({ userName: "Maren Oduya" });
});
