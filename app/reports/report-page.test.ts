import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import { listReports } from "#domain/reports/report-reads.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.tobias));
  const lamps = { title: "Buy <my> lamps", slug: "lamps", content: "", status: "active" } as const;
  await createPost(world.site, world.maren, lamps, await picture());
});
afterEach(() => world.close());

const address = "/report?kind=post&id=lamps";
const about = { kind: "post", subjectId: "lamps" };
const get = (path: string, headers: Record<string, string> = { cookie }) => web.request(path, { headers });
const post = (fields: Record<string, string>) => web.request(address, formPost(fields, { cookie }));
const reports = async () => (await listReports(world.site, world.ruth, { status: "all", limit: 9 })).reports;

describe("without JavaScript", () => {
  test("the page shows what is reported and takes a reason", async () => {
    const html = await (await get(address)).text();
    for (const text of ["Report this story", "Buy &lt;my&gt; lamps", "Spam or advertising", 'maxLength="1000"'])
      expect(html).toContain(text);
    expect(html).toContain('content="noindex"');
  });

  test("a report returns to the previous page with thanks", async () => {
    const html = await (await get(address, { cookie, referer: "http://inkstead.test/profile/x?tab=posts" })).text();
    expect(html).toContain('name="back" value="/profile/x?tab=posts"');
    const answer = await post({ ...about, reason: "spam", note: "", back: "/profile/x?tab=posts" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile/x?tab=posts"]);
    expect(decodeURIComponent(answer.headers.get("set-cookie") ?? "")).toContain("Thank you. We’ll review it.");
    expect(await reports()).toMatchObject([{ subjectId: "lamps", reason: "spam" }]);
  });

  test("an error keeps what was typed", async () => {
    const answer = await post({ ...about, note: "It says “lamps” & means <ovens>" });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain("Choose a reason");
    expect(html).toContain("It says “lamps” &amp; means &lt;ovens&gt;");
    expect(await (await post({ ...about, reason: "other" })).text()).toContain("Tell us briefly what’s wrong");
    expect(await reports()).toEqual([]);
  });

  test("a foreign return address is ignored", async () => {
    const answer = await post({ ...about, reason: "spam", back: "//evil.example" });
    expect(answer.headers.get("location")).toBe("/post/lamps");
  });
});

test("a visitor logs in first and comes back", async () => {
  const answer = await get(address, {});
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `/login?then=${encodeURIComponent(address)}`]);
});

test("a report sent after the session has ended keeps what was typed", async () => {
  const answer = await web.request("/report.data", formPost({ ...about, reason: "spam", note: "Lamps again" }, {}));
  expect(answer.status).toBe(401);
  const text = await answer.text();
  for (const kept of ["Lamps again", "Please sign in first"]) expect(text).toContain(kept);
  expect(await reports()).toEqual([]);
});

test("unknown subjects and kinds are not found", async () => {
  for (const path of ["/report", "/report?kind=post&id=nothing", "/report?kind=admin&id=lamps", "/report?kind=post"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test("nobody reports their own story", async () => {
  const { cookie } = await signIn(world, world.maren);
  const answer = await get(address, { cookie });
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain("You can’t report your own content");
});

test("the reading page has a link to it, except for the author", async () => {
  const link = 'href="/report?kind=post&amp;id=lamps"';
  expect(await (await get("/post/lamps")).text()).toContain(link);
  expect(await (await get("/post/lamps", {})).text()).toContain(link);
  const { cookie } = await signIn(world, world.maren);
  expect(await (await get("/post/lamps", { cookie })).text()).not.toContain(link);
});
