import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { paperColors } from "#app/shell/theme/theme.ts";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, type World } from "../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

type Manifest = { name: string; icons: { src: string; type: string }[] };

test("the manifest has the site’s current name, and icons that exist", async () => {
  world.site.settings.siteName = "Tea & “Time”";
  const answer = await web.request("/manifest.webmanifest");
  expect(answer.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
  const { name, icons } = (await answer.json()) as Manifest;
  expect(name).toBe("Tea & “Time”");
  for (const { src, type } of icons) {
    const icon = await web.request(src);
    expect([src, icon.status, icon.headers.get("content-type")?.split(";")[0]]).toEqual([src, 200, type]);
  }
});

test("pages link to it, with the color of the chosen theme", async () => {
  const head = async (cookie = "") => (await (await web.request("/login", { headers: { cookie } })).text()).split("</head>")[0];
  const { light, dark } = paperColors;
  expect(await head()).toMatch(/<link [^>]*rel="manifest" href="\/manifest\.webmanifest"\/>/);
  expect((await head())?.match(/<meta name="theme-color"[^>]*>/g)).toEqual([
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}"/>`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}"/>`,
  ]);
  expect((await head("inkstead_theme=dark"))?.match(/<meta name="theme-color"[^>]*>/g)).toEqual([
    `<meta name="theme-color" content="${dark}"/>`,
  ]);
});

test("the colors are those of the pages", async () => {
  const colors = await readFile(new URL("../app/theme/colors.css", import.meta.url), "utf8");
  const { light, dark } = paperColors;
  expect(colors).toContain(`--paper: light-dark(${light}, ${dark});`);
});
