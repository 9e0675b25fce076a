import { afterEach, beforeEach, expect, test } from "vitest";
import { deletePost } from "#domain/posts/posts.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { listReports } from "#domain/reports/report-reads.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { ownCaseText } from "#domain/staff/own-case-text.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../../../tests/support/world.ts";
import { runPosted } from "./posts-action.server.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.ruth, { reauthenticated: true }));
  for (const id of ["moor", "sea", "draft"]) await addPost(world, world.maren, { id, status: id === "draft" ? "inactive" : "active" });
  await holdPost(world.site, world.ruth, "moor", { reason: "Whose is it?" });
  await deletePost(world.site, world.ruth, "sea", { reason: "Copied" });
});
afterEach(() => world.close());

async function post(fields: [name: string, value: string][]) {
  const { body, ...init } = formPost({}, { cookie });
  for (const [name, value] of fields) (body as URLSearchParams).append(name, value);
  return web.request("/admin/posts", { ...init, body: body as URLSearchParams });
}
const publishAll: [string, string][] = [["bulk", "publish"], ...["moor", "sea", "draft"].map((id): [string, string] => ["ids", id])];
const states = async () => {
  const rows = await world.site.db.selectFrom("posts").select(["id", "status"]).orderBy("id").execute();
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
};
const hidden = { draft: "inactive", moor: "inactive", sea: "inactive" };
const toast = (answer: Response) => decodeURIComponent(answer.headers.get("set-cookie") ?? "");

test.each(["moor", "sea"])("publishing a hidden story from its row needs a confirmation: %s", async (id) => {
  const fields: [string, string][] = [
    ["do", "publish"],
    ["ids", id],
  ];
  expect(toast(await post(fields))).toContain(`“${id}” was hidden by a moderator`);
  expect(await states()).toEqual(hidden);
  expect(toast(await post([...fields, ["release", id]]))).toContain("Post published");
  expect(await states()).toEqual({ ...hidden, [id]: "active" });
});

test("a bulk publication lists the hidden stories and skips them without confirmation", async () => {
  const question = await (await post(publishAll)).text();
  expect(question).toContain("This also releases what moderators have hidden (held: “moor”; deleted: “sea”).");
  expect(question).toMatch(/name="release" value="moor".*name="release" value="sea"/s);
  await post([...publishAll, ["confirmed", "yes"], ["release", "sea"]]);
  expect(await states()).toEqual({ draft: "active", moor: "inactive", sea: "active" });
});

test.each(["unpublish", "hold", "delete"])("a moderator can undo right after: %s", async (action) => {
  const { site, maren } = world;
  const moderator = await addMember(world, "Mona Moderates", { staff: "moderator" });
  await addPost(world, maren, { id: "tide" });
  const form = new FormData();
  for (const [name, value] of Object.entries({ do: action, reason: "why" })) form.set(name, value);
  const { undo } = await runPosted(site, moderator, form, ["tide"]);
  expect(await states()).toMatchObject({ tide: "inactive" });
  await web.request("/admin/undo", formPost(undo ?? {}, { cookie: (await signIn(world, moderator, { reauthenticated: true })).cookie }));
  expect(await states()).toMatchObject({ tide: "active" });
});

test("a moderator stays on the page of a story that they unpublished", async () => {
  const moderator = await addMember(world, "Mona Moderates", { staff: "moderator" });
  ({ cookie } = await signIn(world, moderator, { reauthenticated: true }));
  await addPost(world, world.maren, { id: "tide" });
  const answer = await web.request("/admin/posts/tide", formPost({ do: "unpublish", reason: "why" }, { cookie }));
  const page = await web.request(answer.headers.get("location") ?? "", { headers: { cookie } });
  expect([page.status, (await page.text()).includes(">Undo<")]).toEqual([200, true]);
});

test("an unknown bulk operation is refused by name", async () => {
  const answer = await post([
    ["bulk", "explode"],
    ["ids", "moor"],
    ["confirmed", "yes"],
  ]);
  expect(toast(answer)).toContain("Invalid operation");
});

test("moderators don't see actions for administrators", async () => {
  const moderator = await addMember(world, "Mona Moderates", { staff: "moderator" });
  const offers = async (cookie: string) => {
    const shown = async (path: string) => (await web.request(path, { headers: { cookie } })).text();
    const [moor, sea] = [await shown("/admin/posts/moor"), await shown("/admin/posts/sea")];
    return [
      moor.includes("/edit-post/moor"),
      moor.includes("Adjust Likes"),
      moor.includes("Edit Views"),
      sea.includes("Delete permanently now"),
    ];
  };
  expect(await offers(cookie)).toEqual([true, true, true, true]);
  expect(await offers((await signIn(world, moderator, { reauthenticated: true })).cookie)).toEqual([false, false, false, false]);
});

test("staff see that others decide about their own held story and its report", async () => {
  const moderator = await addMember(world, "Mona Moderates", { staff: "moderator" });
  await addPost(world, moderator, { id: "garden" });
  await report(world.site, world.tobias, { kind: "post", subjectId: "garden", reason: "spam", note: "" });
  await holdPost(world.site, world.ruth, "garden", { reason: "Whose is it?" });
  ({ cookie } = await signIn(world, moderator, { reauthenticated: true }));
  const read = async (path: string) => (await web.request(path, { headers: { cookie } })).text();
  const page = await read("/admin/posts/garden");
  expect(page).toContain(ownCaseText);
  expect(page).not.toMatch(/Release and publish|>Undo</);
  const list = await read("/admin/reports");
  expect(list).not.toContain(">Dismiss<");
  const [{ id = "" } = {}] = (await listReports(world.site, world.ruth, { status: "pending", limit: 1 })).reports;
  expect(await read(`/admin/reports/${id}`)).toContain(ownCaseText);
  const answer = await post([
    ["do", "publish"],
    ["ids", "garden"],
    ["release", "garden"],
  ]);
  expect(toast(answer)).toContain(ownCaseText);
});
