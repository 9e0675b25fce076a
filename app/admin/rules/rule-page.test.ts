import { afterEach, beforeEach, expect, test } from "vitest";
import { dryRunInitialPosts, ruleTexts } from "#domain/rules/rule.ts";
import { findRule, saveRule } from "#domain/rules/rules.server.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("a rule is deleted only after confirmation", async () => {
  const { site, ruth } = world;
  const input = { conditions: [{ kind: "word", word: "lamp" } as const], outcome: "report" as const, message: "" };
  const path = `/admin/reports/rules/${await saveRule(site, ruth, undefined, input)}`;
  const { cookie } = await signIn(world, ruth, { reauthenticated: true });
  const web = openWeb(world);
  const question = await (await web.request(path, formPost({ do: "delete" }, { cookie }))).text();
  expect(question).toContain("Delete this rule?");
  expect((await web.request(path, { headers: { cookie } })).status).toBe(200);
  const done = await web.request(path, formPost({ do: "delete", confirmed: "yes" }, { cookie }));
  expect(done.headers.get("location")).toBe("/admin/reports/rules");
  expect((await web.request(path, { headers: { cookie } })).status).toBe(404);
});

test("a rule's page tests the newest stories, and more with ?full", async () => {
  const { site, maren, ruth } = world;
  for (let n = 0; n <= dryRunInitialPosts; n++) await addPost(world, maren, { id: `story-${n}`, plainText: "a lamp" });
  const input = { conditions: [{ kind: "word", word: "lamp" } as const], outcome: "report" as const, message: "" };
  const path = `/admin/reports/rules/${await saveRule(site, ruth, undefined, input)}`;
  const { cookie } = await signIn(world, ruth);
  const page = async (address: string) => (await openWeb(world).request(address, { headers: { cookie } })).text();
  const near = await page(path);
  expect(near).toContain("Would have matched 200 of 200 stories");
  expect(near).toContain("Of the newest 200 stories published in the last 30 days");
  expect(near).toContain(`href="${path}?full"`);
  const far = await page(`${path}?full`);
  expect(far).toContain("Would have matched 201 of 201 stories");
  expect(far).not.toContain(`href="${path}?full"`);
});

test("after someone else's change the typed rule stays in the form, and nobody turns on what they haven't seen", async () => {
  const { site, ruth } = world;
  const input = { conditions: [{ kind: "word", word: "lamp" } as const], outcome: "report" as const, message: "" };
  const id = await saveRule(site, ruth, undefined, input);
  const path = `/admin/reports/rules/${id}`;
  const { cookie } = await signIn(world, ruth, { reauthenticated: true });
  const web = openWeb(world);
  const versionIn = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const version = versionIn(await (await web.request(path, { headers: { cookie } })).text());
  await saveRule(site, ruth, id, { ...input, outcome: "hold" });
  const mine = { do: "save", words: "lantern", outcome: "report" };
  const refused = await web.request(path, formPost({ ...mine, version }, { cookie }));
  expect(refused.status).toBe(409);
  const page = await refused.text();
  expect(page).toContain(ruleTexts.changed);
  expect(page).toContain('value="lantern"');
  const on = await web.request(path, formPost({ do: "on", version }, { cookie }));
  expect(decodeURIComponent(on.headers.getSetCookie().join())).toContain(ruleTexts.changedBeforeOn);
  expect(await findRule(site, ruth, id)).toMatchObject({ outcome: "hold", enabled: false });
  await web.request(path, formPost({ ...mine, version: versionIn(page) }, { cookie }));
  expect((await findRule(site, ruth, id)).conditions).toEqual([{ kind: "word", word: "lantern" }]);
});
