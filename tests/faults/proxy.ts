import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";

export type Proxy = {
  url: string;
  /** Addresses of the processes, used in turn. */
  targets: string[];
  close(): Promise<void>;
};

/**
 * The proxy that docs/operations.md requires: it keeps connections alive, skips a process that refuses a connection, and repeats a request
 * when its connection broke before a response, but never a form, which may have arrived.
 */
export async function openProxy(): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 32 });
  const sockets = new Set<Socket>();
  const targets: string[] = [];
  let turn = 0;

  async function ask(incoming: IncomingMessage, body: Buffer | undefined): Promise<{ response: IncomingMessage; socket?: Socket }> {
    // Learns first which connections the processes have closed, also while this turn's events were handled. It would otherwise use them.
    for (let turns = 0; turns < 2; turns++) await nextTurn();
    const first = turn++;
    for (let tried = 0; ; tried++) {
      const { hostname, port } = new URL(targets[(first + tried) % targets.length] ?? "");
      const { method = "GET", url: path, headers } = incoming;
      const outgoing = send({ hostname, port, method, path, headers, ...(body ? { agent } : { agent: false }) });
      outgoing.end(body);
      const answered = new Promise<{ response: IncomingMessage; socket?: Socket }>((resolve, reject) => {
        outgoing.once("response", (response) => resolve({ response }));
        outgoing.once("upgrade", (response, socket) => resolve({ response, socket: socket as Socket }));
        outgoing.once("error", reject);
      });
      try {
        return await answered;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const mayRepeat = code === "ECONNREFUSED" || method === "GET" || method === "HEAD";
        if (tried + 1 >= targets.length || !mayRepeat) throw error;
      }
    }
  }

  const server = createServer(async (incoming, outgoing) => {
    try {
      const { response } = await ask(incoming, await buffer(incoming));
      const { connection: _, "keep-alive": __, ...headers } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, headers);
      response.pipe(outgoing);
      response.once("error", () => outgoing.destroy());
    } catch (error) {
      outgoing.writeHead(502, (error as NodeJS.ErrnoException).code).end();
    }
  });
  server.on("upgrade", async (incoming, socket) => {
    socket.on("error", () => {});
    try {
      const { response, socket: inner } = await ask(incoming, undefined);
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n${lines.join("\r\n")}\r\n\r\n`);
      if (!inner) return socket.end();
      inner.on("error", () => socket.destroy());
      inner.once("close", () => socket.destroy());
      socket.once("close", () => inner.destroy());
      inner.pipe(socket);
      socket.pipe(inner);
    } catch {
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "localhost"), "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    targets,
    async close() {
      agent.destroy();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
