import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { picture } from "../support/pictures.ts";
import { password } from "../support/world.ts";
import { type OpenApi, openApi, sendOrigin, stubBrowser } from "./api.ts";
import { writePost } from "./collection.ts";

const page = readFileSync("docs/api.md", "utf8");
const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? "");

let api: OpenApi;
let restoreFetch: () => void;
beforeEach(async () => {
  stubBrowser();
  api = await openApi();
  restoreFetch = sendOrigin("http://localhost:5173");
});
afterEach(async () => {
  restoreFetch();
  vi.restoreAllMocks();
  await api.close();
});

/** Runs an example of the page with this site's address and a session. @returns its output. */
async function run(example: string, email: string, before = ""): Promise<string[]> {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text) => void printed.push(String(text)));
  vi.spyOn(console, "warn").mockReturnValue();
  const code = example
    .replaceAll("https://stories.example/v1", api.endpoint)
    .replaceAll(/(reader|writer)@example\.org/g, email)
    .replaceAll("a long password", password)
    .replaceAll(/from "([\w-]+)"/g, (_all, name: string) => `from ${JSON.stringify(import.meta.resolve(installed(name, example)))}`);
  const file = join(api.world.dataDir, `example-${examples.indexOf(example)}.mjs`);
  writeFileSync(file, `${before}${code}`);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
  return printed;
}

/** Two versions of one package are installed, one under another name. */
function installed(name: string, example: string): string {
  return name === "appwrite" && example === examples[1] ? "appwrite-18" : name;
}

test("the newest web SDK lists and likes", async () => {
  await writePost(api, "night-bus", { title: "Night bus" });
  expect(await run(examples[0] ?? "", "tobias@example.com")).toEqual(["Night bus, by Maren Oduya", "You like night-bus"]);
});

test("the specification's SDK publishes", async () => {
  const { bytes } = await picture();
  vi.stubGlobal("examplePicture", new File([new Uint8Array(bytes)], "bus.jpg"));
  const printed = await run(examples[1] ?? "", "maren@example.com", "const photograph = globalThis.examplePicture;\n");
  expect(printed).toEqual(["Published: the-last-night-bus by Maren Oduya"]);
});

test("a program on a server reads with a key", async () => {
  const { secret } = await createApiKeyFor(api.world.site, "ruth@example.com", { name: "example", scopes: ["read"], days: 7 });
  vi.stubEnv("SITE_KEY", secret);
  expect(await run(examples[2] ?? "", "")).toEqual(["4 members"]);
});
