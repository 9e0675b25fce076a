import { expect, test } from "vitest";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { openPage } from "../../../tests/support/pages.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { openWorld } from "../../../tests/support/world.ts";

test("the dashboard and a story's page count one in the singular", async () => {
  const world = await openWorld();
  const { site, maren, tobias, ruth } = world;
  await addPost(world, maren, { id: "tide", views: 1 });
  await addPost(world, maren, { id: "draft", status: "inactive" });
  await setLike(site, tobias, "tide", true);
  await report(site, tobias, { kind: "post", subjectId: "tide", reason: "spam", note: "" });
  const { text } = await openPage(world, "/admin", { as: ruth });
  for (const figure of ["1 like today", "1 draft", "1 waiting report"]) expect(text).toMatch(new RegExp(`${figure}\\b`));
  expect((await openPage(world, "/admin/posts/tide", { as: ruth })).text).toMatch(/ 1 view\b/);
  await world.close();
});

test("the dashboard and the list of posts count held stories, too", async () => {
  const world = await openWorld();
  await addPost(world, world.maren, { id: "tide" });
  await addPost(world, world.maren, { id: "moor" });
  await holdPost(world.site, world.ruth, "tide", { reason: "why" });
  const { text } = await openPage(world, "/admin", { as: world.ruth });
  expect(text).toContain("Total Posts 2 1 published");
  expect(text).toContain("Active Rate 50.0%");
  expect((await openPage(world, "/admin/posts", { as: world.ruth })).text).toContain("Total Posts 2 1 held");
  await world.close();
});
