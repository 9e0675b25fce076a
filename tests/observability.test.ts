import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test } from "vitest";
import { freePort, type RunningServer, startServer } from "./support/process.ts";

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe("metrics and logs of a process", () => {
  test("serves metrics on a separate port, and logs request ids", async () => {
    const port = await freePort();
    server = await startServer({ METRICS_PORT: String(port), LOG_LEVEL: "info" }, inject("engine"));
    const answers = await Promise.all(["/", "/help", "/post/none"].map((path) => fetch(`${server?.url}${path}`)));
    const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
    for (const id of ids) await expect.poll(server.output).toContain(`"requestId":"${id}"`);
    // From the cache, before the routes.
    const cached = await fetch(`${server.url}/help`);
    await expect.poll(server.output).toContain(`"requestId":"${cached.headers.get("x-request-id")}"`);
    expect(cached.headers.get("x-request-id")).not.toBe(ids[1]);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^inkstead_http_request_duration_seconds_count\{method="GET",route="\/help",status="2xx"\} 2$/m);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  test("keeps the request id of a local proxy", async () => {
    server = await startServer({ LOG_LEVEL: "info" }, inject("engine"));
    const response = await fetch(`${server.url}/v1/ping`, { headers: { "x-request-id": "proxy-0001" } });
    expect(response.headers.get("x-request-id")).toBe("proxy-0001");
  });

  test("runs the operator's preloaded modules first", async () => {
    const folder = mkdtempSync(join(tmpdir(), "inkstead-preload-"));
    const [script, note] = [join(folder, "preload.mjs"), join(folder, "note")];
    writeFileSync(script, `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(note)}, process.argv[1] + "\\n");\n`);
    server = await startServer({ NODE_OPTIONS: `--import ${script}` }, inject("engine"));
    expect(readFileSync(note, "utf8").split("\n")[0]).toMatch(/serve\.js$/);
    rmSync(folder, { recursive: true });
  });
});

test("a new site prints its setup link until there is an administrator", async () => {
  server = await startServer({ SITE_URL: "https://stories.example" }, inject("engine"));
  await expect.poll(server.output).toMatch(/https:\/\/stories\.example\/setup\?token=[\w-]{43}\n/);
  const path = /\/setup\?token=[\w-]{43}/.exec(server.output())?.[0] ?? "";
  expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  await server.stop();
  await server.start();
  expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  const fields = {
    ...{ name: "Ana Pereira", email: "ana@example.com", password: "a lamp on the Hill 9" },
    ...{ siteName: "Night Bus", siteDescription: "", landingFigures: "live", landingIntro: "", landingCommunity: "" },
  };
  const origin = "https://stories.example";
  const done = await fetch(`${server.url}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { origin },
    redirect: "manual",
  });
  expect([done.status, done.headers.get("location")]).toEqual([302, "/admin"]);
  expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  await server.stop();
  const before = server.output().length;
  await server.start();
  await expect.poll(() => server?.output().slice(before)).toContain("Night Bus is running");
  expect(server.output().slice(before)).not.toContain("/setup");
});
