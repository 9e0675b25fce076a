import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A connection to a database that can be cut, slowed or silenced. */
export type FaultyConnection = {
  url: string;
  /** Delay of responses in milliseconds. */
  delay(ms: number): void;
  /** Accepts everything and forwards nothing. */
  silence(isSilent: boolean): void;
  close(): Promise<void>;
};

export async function openFaultyConnection(to: string): Promise<FaultyConnection> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let [delayMs, silent] = [0, false];
  const line = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname);
    for (const socket of [inner, outer]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.on("data", (bytes) => silent || outer.write(bytes));
    let before = Promise.resolve();
    outer.on("data", (bytes) => {
      // In order: bytes must not overtake each other.
      before = before.then(() => (delayMs > 0 ? wait(delayMs) : undefined)).then(() => void (silent || inner.write(bytes)));
    });
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  const url = new URL(to);
  url.port = String((line.address() as AddressInfo).port);
  return {
    url: url.href,
    delay: (ms) => {
      delayMs = ms;
    },
    silence: (isSilent) => {
      silent = isSilent;
      // Swallowed requests would otherwise wait forever.
      if (!isSilent) for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      line.close();
      await once(line, "close");
    },
  };
}
