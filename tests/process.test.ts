import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, inject, test } from "vitest";
import { type RunningServer, startServer } from "./support/process.ts";

describe("the server's process", () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  test("answers, and shuts down on a signal", async () => {
    server = await startServer({}, inject("engine"));
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(server.url)).status).toBe(200);
    await expect.poll(server.output).toContain(`is running at ${server.url}`);
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  test("answers requests on kept-alive connections during a shutdown", async () => {
    server = await startServer({}, inject("engine"));
    const { port } = new URL(server.url);
    const ask = (socket: Socket) => void socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
    for (const socket of sockets) {
      ask(socket);
      await once(socket, "data");
    }
    const stopped = server.stop("SIGTERM");
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        ask(socket);
        return text(socket);
      }),
    );
    expect(answers.map((response) => response.slice(0, 12))).toEqual(sockets.map(() => "HTTP/1.1 200"));
    expect(await stopped).toBe(0);
  });

  test("starts with the same data after a kill", async () => {
    server = await startServer({}, inject("engine"));
    await server.kill();
    await server.start();
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ok", database: true, files: true });
  });
});
