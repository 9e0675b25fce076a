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
    const sockets = await openConnections(server, 20);
    for (const socket of sockets) {
      socket.write(request);
      await once(socket, "data");
    }
    const stopped = server.stop("SIGTERM");
    expect(await Promise.all(sockets.map(readStatus))).toEqual(sockets.map(() => "HTTP/1.1 200"));
    expect(await stopped).toBe(0);
  });

  test("answers requests on connections that still wait to be accepted when the signal arrives", async () => {
    server = await startServer({}, inject("engine"));
    process.kill(server.pid(), "SIGSTOP");
    const sockets = await openConnections(server, 50);
    const stopped = server.stop("SIGTERM");
    process.kill(server.pid(), "SIGCONT");
    expect(await Promise.all(sockets.map(readStatus))).toEqual(sockets.map(() => "HTTP/1.1 200"));
    expect(await stopped).toBe(0);
  });

  test("starts with the same data after a kill", async () => {
    server = await startServer({}, inject("engine"));
    await server.kill();
    await server.start();
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ok", database: true, files: true });
  });
});

const request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function openConnections({ url }: RunningServer, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {}));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

/** Sends a request and reads until the server closes the connection. */
async function readStatus(socket: Socket): Promise<string> {
  socket.write(request);
  return (await text(socket)).slice(0, 12);
}
