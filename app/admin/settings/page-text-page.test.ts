import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changePage, defaultText, readPageText } from "#domain/pages/page-texts.server.ts";
import type { Web } from "#server/http.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.ruth, { reauthenticated: true }));
});
afterEach(() => world.close());

const ours = { title: "What We Keep", lead: "Little.", text: "## Of you\n\nYour *name*." };
const read = async (path: string, headers = {}) => (await web.request(path, { headers })).text();
const post = (fields: Record<string, string>) => web.request("/admin/settings/pages/privacy", formPost(fields, { cookie }));
const versionIn = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";

describe("footer pages", () => {
  test("are listed under Settings", async () => {
    expect(await read("/admin/settings", { cookie })).toContain('href="/admin/settings/pages"');
    const page = await read("/admin/settings/pages", { cookie });
    for (const path of ["writing-guidelines", "privacy", "cookies"]) expect(page).toContain(`href="/admin/settings/pages/${path}"`);
    expect(page.match(/Default text/g)?.length).toBeGreaterThanOrEqual(9);
  });

  test("offer editing to administrators only", async () => {
    expect(await read("/privacy", { cookie })).toContain('href="/admin/settings/pages/privacy"');
    expect(await read("/privacy", { cookie: (await signIn(world, world.maren)).cookie })).not.toContain("/admin/settings/pages");
    expect(await read("/privacy")).not.toContain("/admin/settings/pages");
  });

  test("are edited without JavaScript and visible to everyone", async () => {
    const answer = await post({ ...ours, version: versionIn(await read("/admin/settings/pages/privacy", { cookie })), do: "save" });
    expect(answer.headers.get("location")).toBe("/admin/settings/pages/privacy");
    expect(decodeURIComponent(answer.headers.getSetCookie().join())).toContain("Page saved successfully!");
    const page = await read("/privacy");
    for (const each of ["<title>What We Keep", 'content="Little."', "Your <em>name</em>."]) expect(page).toContain(each);
  });

  test("an invalid text stays in the form with its error", async () => {
    const answer = await post({ ...ours, title: "", version: "0", do: "save" });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain("Title is required");
    expect(page).toContain("Your *name*.</textarea>");
  });

  test("after an edit conflict the text stays in the form and can be saved again", async () => {
    await changePage(world.site, world.ruth, "privacy", { ...ours, title: "Theirs" }, 0);
    const answer = await post({ ...ours, version: "0", do: "save" });
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain("Someone else changed this page");
    expect(page).toContain("Your *name*.</textarea>");
    await post({ ...ours, version: versionIn(page), do: "save" });
    expect((await readPageText(world.site, world.ruth, "privacy")).title).toBe("What We Keep");
  });

  test("the preview renders the text and saves nothing", async () => {
    const page = await (await post({ ...ours, version: "0", do: "preview" })).text();
    expect(page).toContain("Your <em>name</em>.");
    expect(page).toContain("Your *name*.</textarea>");
    expect((await readPageText(world.site, world.ruth, "privacy")).version).toBe(0);
  });

  test("the default text can be reviewed and restored", async () => {
    await changePage(world.site, world.ruth, "privacy", ours, 0);
    expect(await read("/admin/settings/pages/privacy", { cookie })).toContain('href="?original"');
    const page = await read("/admin/settings/pages/privacy?original", { cookie });
    expect(page).toContain("No advertising and no trackers.");
    await post({ ...defaultText(world.site, "privacy"), version: versionIn(page), do: "save" });
    expect(await read("/privacy")).toContain("No advertising and no trackers.");
  });
});
