import { connect } from "node:net";

/**
 * The load generator, like `wrk`: each connection sends its next request after a response. On bare sockets, because HTTP clients would be
 * slower than the servers.
 */
export type Asking = { port: number; requests: string[]; connections: number; milliseconds: number };

/** `latencies` in milliseconds: median and 99th percentile. */
export type Asked = { answered: number; refused: number; milliseconds: number; p50: number; p99: number };

const headEnd = "\r\n\r\n";
const lastChunk = Buffer.from("0\r\n\r\n");

async function ask({ port, requests, connections, milliseconds }: Asking): Promise<Asked> {
  const bytes = requests.map((request) => Buffer.from(request));
  const begun = performance.now();
  const until = begun + milliseconds;
  const latencies: number[] = [];
  let refused = 0;
  let next = 0;
  await Promise.all(Array.from({ length: connections }, () => openOne()));
  latencies.sort((one, other) => one - other);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN;
  return { answered: latencies.length, refused, milliseconds: performance.now() - begun, p50: at(0.5), p99: at(0.99) };

  function openOne(): Promise<void> {
    return new Promise((resolve, reject) => {
      let asked = 0;
      let reading: { left: number } | { tail: Buffer } | undefined;
      const send = () => {
        reading = undefined;
        asked = performance.now();
        socket.write(bytes[next++ % bytes.length] as Buffer);
      };
      const hear = (piece: Buffer) => {
        if (!reading) {
          const end = piece.indexOf(headEnd);
          if (end < 0) return reject(new Error("The head of an answer came in pieces."));
          const head = piece.toString("latin1", 0, end);
          if (!/^HTTP\/1\.1 [23]/.test(head)) refused++;
          reading = bodyOf(head);
          if ("left" in reading) reading.left -= piece.length - end - headEnd.length;
        } else if ("left" in reading) reading.left -= piece.length;
        if ("left" in reading ? reading.left > 0 : !endsWithLastChunk(reading, piece)) return;
        latencies.push(performance.now() - asked);
        if (performance.now() < until) return send();
        socket.destroy();
        resolve();
      };
      const buffer = Buffer.allocUnsafe(256 * 1024);
      const callback = (length: number) => {
        hear(buffer.subarray(0, length));
        return true;
      };
      const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
      socket.once("connect", send).once("error", reject);
      socket.once("close", () => reject(new Error("The server hung up.")));
    });
  }
}

function bodyOf(head: string): { left: number } | { tail: Buffer } {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return { left: Number(length) };
  return /^transfer-encoding: chunked/im.test(head) ? { tail: Buffer.alloc(0) } : { left: 0 };
}

function endsWithLastChunk(reading: { tail: Buffer }, piece: Buffer): boolean {
  const tail = piece.length >= lastChunk.length ? piece : Buffer.concat([reading.tail, piece]);
  reading.tail = Buffer.from(tail.subarray(-lastChunk.length));
  return reading.tail.equals(lastChunk);
}

process.on("message", async (asking: Asking) => {
  process.send?.(await ask(asking).catch((error: Error) => ({ failed: error.message })));
});
process.on("disconnect", () => process.exit(0));
