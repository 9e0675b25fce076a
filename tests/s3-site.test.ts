import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memberCookie, publish, publishAndKill } from "./faults/crash.ts";
import { type RunningServer, startServer } from "./support/process.ts";
import { type RunningS3, startS3 } from "./support/s3.ts";

/** The built site with its files in a bucket. */
describe("a site with its files on S3", () => {
  let s3: RunningS3;
  let server: RunningServer;
  let cookie: string;
  beforeAll(async () => {
    s3 = await startS3();
    server = await startServer(s3.environment(s3.place()));
    cookie = await memberCookie(server);
  });
  afterAll(async () => {
    await server?.close();
    await s3.close();
  });

  const status = async (path: string) => (await fetch(server.url + path, { redirect: "manual", headers: { cookie } })).status;
  const picture = async (slug: string) => /\/files\/\w+/.exec(await (await fetch(`${server.url}/post/${slug}`)).text())?.[0] ?? "";
  const send = async (slug: string) => {
    const response = await publish(server, cookie, slug);
    return { status: response.status, location: response.headers.get("location"), html: await response.text() };
  };
  const expectRefused = (response: { status: number; html: string }, slug: string) => {
    expect(response.status).toBe(503);
    expect(response.html).toContain("Failed to create post: the picture couldn’t be saved. Please try again.");
    expect(response.html).toContain("A text that must be complete.");
    expect(response.html).toContain(`value="${slug}"`);
  };

  test("shows a story's picture, and parts of it", async () => {
    expect(await send("harbour")).toMatchObject({ status: 302, location: "/post/harbour" });
    const path = await picture("harbour");
    const whole = await fetch(server.url + path);
    const part = await fetch(server.url + path, { headers: { range: "bytes=2-9" } });
    expect([whole.status, part.status, part.headers.get("x-content-type-options")]).toEqual([200, 206, "nosniff"]);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 10));
    expect(await status(`${path}/640.webp`)).toBe(200);
  });

  test("works without S3, reports what fails, and recovers by itself", async () => {
    const path = await picture("harbour");
    await s3.kill();
    await expect.poll(() => status("/readyz")).toBe(503);
    for (const page of ["/", "/all-posts", "/post/harbour", "/healthz"]) expect([page, await status(page)]).toEqual([page, 200]);
    expect(await status(`${path}/640.webp`)).toBe(503);
    expectRefused(await send("lost-harbour"), "lost-harbour");

    // It also starts without S3.
    await server.kill();
    const ready = server.start();
    await expect.poll(() => status("/healthz").catch(() => 0)).toBe(200);
    expect([await status("/readyz"), await status("/post/harbour"), await status("/post/lost-harbour")]).toEqual([503, 200, 302]);

    await s3.start();
    await ready;
    expect(await status(`${path}/640.webp`)).toBe(200);
    expect(await send("lost-harbour")).toMatchObject({ status: 302, location: "/post/lost-harbour" });
  });

  test("times out on a hanging S3", async () => {
    s3.freeze();
    const start = performance.now();
    const [refused, page] = await Promise.all([send("slow-harbour"), status("/post/harbour")]);
    const waited = performance.now() - start;
    expect(await status("/readyz")).toBe(503);
    s3.thaw();
    expectRefused(refused, "slow-harbour");
    expect(page).toBe(200);
    expect(waited).toBeGreaterThan(9_000);
    expect(await send("slow-harbour")).toMatchObject({ status: 302, location: "/post/slow-harbour" });
  });

  test("works while the store rejects its keys, and recovers by itself", async () => {
    const path = await picture("harbour");
    await s3.revokeKeys();
    await expect.poll(() => status("/readyz")).toBe(503);
    expect(server.output()).toContain("InvalidAccessKeyId");
    for (const page of ["/", "/post/harbour", "/healthz"]) expect([page, await status(page)]).toEqual([page, 200]);
    expect(await status(`${path}/640.webp`)).toBe(503);
    expectRefused(await send("closed-harbour"), "closed-harbour");
    await s3.restoreKeys();
    await expect.poll(() => status("/readyz")).toBe(200);
    expect(await send("closed-harbour")).toMatchObject({ status: 302, location: "/post/closed-harbour" });
  });

  test("doesn't start with wrong keys, and says why", async () => {
    const environment = { ...s3.environment(s3.place()), AWS_ACCESS_KEY_ID: "SOMEBODYELSE" };
    await expect(startServer(environment)).rejects.toThrow(/Inkstead can't start: FILES_URL, or the keys for it, .* InvalidAccessKeyId/);
  });

  test("doesn't start without its bucket, and says why", async () => {
    const environment = s3.environment(s3.place({ bucket: "another-bucket" }));
    await expect(startServer(environment)).rejects.toThrow(/Inkstead can't start: FILES_URL, or the keys for it, .* NoSuchBucket/);
  });
});

test("a server killed during publishing leaves the complete story or none of it, on S3 too", { timeout: 600_000 }, async () => {
  const s3 = await startS3();
  const place = s3.place();
  const listFileIds = () => [...new Set(s3.keys(place).map((key) => key.split("/")[0] ?? ""))].filter((folder) => folder !== "probe");
  const { complete, absent } = await publishAndKill(2, "sqlite", () => {}, { environment: s3.environment(place), listFileIds });
  await s3.close();
  expect(complete + absent).toBe(2);
});
