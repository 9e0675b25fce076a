import { afterEach, beforeEach, expect, test } from "vitest";
import { decide } from "#domain/moderation/decide.server.ts";
import { findReport, listReports } from "#domain/reports/report-reads.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
let ruth: string;
let id: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ruth = (await signIn(world, world.ruth, { reauthenticated: true })).cookie;
  await addPost(world, world.maren, { id: "moor" });
  await report(world.site, world.tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "Third one" });
  id = (await listReports(world.site, world.ruth, { status: "all", limit: 1 })).reports[0]?.id ?? "";
});
afterEach(() => world.close());

const get = async (path: string, cookie = ruth) => (await web.request(path, { headers: { cookie } })).text();
const settle = (fields: Record<string, string>) => web.request("/admin/reports", formPost({ id, ...fields }, { cookie: ruth }));
const toast = (answer: Response) => decodeURIComponent(answer.headers.get("set-cookie") ?? "");
const status = async () => (await findReport(world.site, world.ruth, id)).status;

test("a report of a held story opens the decision on the story", async () => {
  await decide(world.site, world.ruth, id, { decision: "hold", reason: "Whose is it?", answer: "We are looking" });
  for (const decision of ["resolved", "dismissed"]) {
    const answer = await settle({ do: decision });
    expect(answer.headers.get("location")).toBe(`/admin/reports/${id}`);
    expect(toast(answer)).toContain("This story is held. Decide what to do with it.");
  }
  expect(await status()).toBe("pending");
  const page = await get(`/admin/reports/${id}`);
  for (const choice of ["release", "release-resolve", "delete", "keep-held"]) expect(page).toContain(`value="${choice}"`);
  for (const choice of ["resolve", "dismiss"]) expect(page).not.toContain(`value="${choice}"`);
});

test("the reporter gets the message of a hold as a notification", async () => {
  const answer = await web.request(
    `/admin/reports/${id}`,
    formPost({ decision: "hold", reason: "Whose is it?", answer: "We are looking into it" }, { cookie: ruth }),
  );
  expect(answer.status).toBe(302);
  const { cookie } = await signIn(world, world.tobias);
  expect(await get("/notifications", cookie)).toContain("We are looking into it");
});

test("unpublishing from a row asks for a reason", async () => {
  const unasked = await settle({ do: "unpublish" });
  expect([unasked.headers.get("location"), await status()]).toEqual([`/admin/reports/${id}`, "pending"]);
  expect(toast(await settle({ do: "unpublish", reason: "It is copied" }))).toContain("Story unpublished, report resolved");
  expect(await status()).toBe("resolved");
  const { cookie } = await signIn(world, world.maren);
  expect(await get("/notifications", cookie)).toContain("Your story was unpublished");
});

test("a second report is added to the first, and the queue shows both", async () => {
  const { cookie } = await signIn(world, world.tobias);
  const again = { kind: "post", subjectId: "moor", reason: "copyright", note: "It is mine" };
  const answer = await web.request("/report", formPost(again, { cookie }));
  expect(toast(answer)).toContain("We added this to your earlier report.");
  const queue = await get("/admin/reports");
  for (const text of ["Spam or advertising", "Third one", "Someone else’s work", "It is mine"]) expect(queue).toContain(text);
});

test("the form asks for a reason if a member reads it, and for an answer if there is a reporter", async () => {
  expect(await get(`/admin/reports/${id}`)).toContain("Message to the reporter");
  await world.site.db.updateTable("reports").set({ reporterId: null, reason: "rule" }).where("id", "=", id).execute();
  expect(await get(`/admin/reports/${id}`)).not.toContain("Message to the reporter");
});
