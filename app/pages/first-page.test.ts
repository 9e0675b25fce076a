import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Site } from "#domain/site.ts";
import { createLog } from "#platform/log.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

async function ask(path: string, site: Site = world.site) {
  const response = await openWeb({ site }).request(path);
  return { status: response.status, location: response.headers.get("location"), html: (await response.text()).replaceAll("<!-- -->", "") };
}

test("the Pinned tab applies the search, and reports an empty result (decisions, Settled readings)", async () => {
  await addPost(world, world.maren, { id: "ferry", title: "What the Ferry Brings", pinned: true });
  await addPost(world, world.maren, { id: "snow", title: "A Word for Snow", pinned: true });
  const found = await ask("/?tab=pinned&q=snow");
  expect(found.html).toContain("A Word for Snow");
  expect(found.html).not.toContain("What the Ferry Brings");
  expect((await ask("/?tab=pinned&q=nowhere")).html).toContain("No Pinned Stories");
});

test("the page is shown without parts that can't be read (specification §8)", async () => {
  await addPost(world, world.maren, { id: "ferry", title: "What the Ferry Brings" });
  const broken: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"counters"')) throw new Error("The counters can't be read.");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const site = { ...world.site, log: createLog("silent"), db: world.site.db.withPlugin(broken) };
  const { status, html } = await ask("/?tab=latest", site);
  expect(status).toBe(200);
  expect(html).toContain("What the Ferry Brings");
});

test("/post redirects home (specification §2, Reading page)", async () => {
  expect(await ask("/post")).toMatchObject({ status: 302, location: "/" });
  expect(await ask("/post/")).toMatchObject({ status: 302, location: "/" });
});

test("visitors are asked to sign up or to log in (specification §1)", async () => {
  const { html } = await ask("/");
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  expect(main).toContain('href="/signup"');
  expect(main).toContain('href="/login"');
});
