import { afterEach, describe, expect, inject, test } from "vitest";
import { type RunningServer, startServer } from "./support/process.ts";

describe("the server's process", () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  test("answers, and ends in order when it is told to", async () => {
    server = await startServer({}, inject("engine"));
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(server.url)).status).toBe(200);
    await expect.poll(server.output).toContain(`is running at ${server.url}`);
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  test("comes back with the same data after it was killed", async () => {
    server = await startServer({}, inject("engine"));
    await server.kill();
    await server.start();
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ok", database: true, files: true });
  });
});
