import { afterEach, beforeEach, expect, test } from "vitest";
import { answerAppeal, appeal } from "#domain/moderation/appeals.server.ts";
import { decide } from "#domain/moderation/decide.server.ts";
import { holdPost } from "#domain/moderation/posts/hold-post.server.ts";
import { deletePost, eraseDeleted } from "#domain/posts/posts.server.ts";
import { listReports } from "#domain/reports/report-reads.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { addPost } from "../../tests/support/stories.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  await addPost(world, world.maren, { id: "moor", title: "The Moor" });
});
afterEach(() => world.close());

const get = async (path: string, cookie: string) => (await web.request(path, { headers: { cookie } })).text();
const waiting = (page: string) => /(\d+)<span class="sr-only"> <!-- -->new notices?/.exec(page)?.[1] ?? "0";
const why = { reason: "Whose is it?" };
const newestReport = async () => (await listReports(world.site, world.ruth, { status: "pending", limit: 1 })).reports[0]?.id ?? "";
const actionOn = async (postId: string) => {
  const of = world.site.db.selectFrom("moderation_actions").select("id").where("subject", "=", `post:${postId}`);
  return (await of.orderBy("number", "desc").executeTakeFirstOrThrow()).id;
};

test("the header of every screen counts decisions and answers that somebody has not read, until they have", async () => {
  const { cookie } = await signIn(world, world.maren);
  expect(waiting(await get("/", cookie))).toBe("0");
  await holdPost(world.site, world.ruth, "moor", why);
  for (const path of ["/", "/all-posts", "/messages", "/account"]) expect([path, waiting(await get(path, cookie))]).toEqual([path, "1"]);
  const id = await actionOn("moor");
  expect(waiting(await get(`/notices/${id}`, cookie))).toMatch(/[01]/);
  expect(waiting(await get("/", cookie))).toBe("0");
  await appeal(world.site, world.maren, id, "It is mine");
  await answerAppeal(world.site, world.ruth, await newestReport(), { grant: false, answer: "It is not" });
  expect(waiting(await get("/", cookie))).toBe("1");
  expect(await get("/notices", cookie)).toContain("Appeal answered");
  expect(await get(`/notices/${id}`, cookie)).toContain("It is not");
  expect(waiting(await get("/", cookie))).toBe("0");
});

test("an answer to a report is new until the notices were opened", async () => {
  const { cookie } = await signIn(world, world.tobias);
  await report(world.site, world.tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  await decide(world.site, world.ruth, await newestReport(), { decision: "hold", ...why, answer: "We are looking" });
  expect(waiting(await get("/", cookie))).toBe("1");
  expect(await get("/notices", cookie)).toMatch(/New<.*We are looking/s);
  expect(waiting(await get("/", cookie))).toBe("0");
});

test("what was permanently deleted early is said to be gone, without a link or an appeal", async () => {
  const { cookie } = await signIn(world, world.maren);
  await deletePost(world.site, world.ruth, "moor", why);
  const id = await actionOn("moor");
  expect(await get(`/notices/${id}`, cookie)).toContain("Send appeal");
  await eraseDeleted(world.site, world.ruth, "moor");
  world.clock.advance(1000);
  const page = await get(`/notices/${id}`, cookie);
  expect(page).toContain("This story was permanently deleted.");
  for (const text of ["Send appeal", 'href="/post/moor"', "save a copy"]) expect(page).not.toContain(text);
  await expect(appeal(world.site, world.maren, id, "Why?")).rejects.toMatchObject({ code: "conflict" });
  const ruth = await signIn(world, world.ruth, { verified: true });
  expect(await get("/admin/audit", ruth.cookie)).not.toContain(">Undo<");
});
