import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that sends exactly the given bytes, which no HTTP client does. */
export type RawConnection = {
  socket: Socket;
  send(text: string | Uint8Array): void;
  /** Sends one chunk of a body with `transfer-encoding: chunked`; an empty one ends it. */
  sendChunk(bytes: string | Uint8Array): void;
  /** Half-closes the connection and keeps reading. */
  halfClose(): void;
  /** All received bytes when the server closes the connection. */
  everything(): Promise<string>;
  /** The first status as soon as it arrives; 0 when the connection ends without one. */
  status(): Promise<number>;
  close(): void;
};

/** Connects to a running server, at an address such as `http://localhost:3000`. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = "";
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()).once("end", () => resolve()));
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
  });
  // A reset ends the connection too.
  socket.on("error", () => {});
  await once(socket, "connect");
  const send = (bytes: string | Uint8Array) => void (socket.writable && socket.write(bytes));
  return {
    socket,
    send,
    sendChunk(bytes) {
      const chunk = Buffer.from(bytes);
      send(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]));
    },
    halfClose: () => void socket.end(),
    async everything() {
      await ended;
      return received;
    },
    async status() {
      const line = () => /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      while (line() === undefined) {
        const more = new Promise<void>((resolve) => socket.once("data", () => resolve()));
        if ((await Promise.race([more.then(() => "more"), ended.then(() => "ended")])) === "ended") break;
      }
      return Number(line() ?? 0);
    },
    close: () => void socket.destroy(),
  };
}

/** The head of a request, with its empty line. */
export function requestHead(method: string, path: string, headers: Record<string, string | string[]> = {}): string {
  const lines = Object.entries({ host: "localhost", ...headers }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}`),
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
