import { connect } from "node:net";

/**
 * The load generator, like `wrk`: each connection sends its next request after a response. On bare sockets, because HTTP clients would be
 * slower than the servers.
 */
export type LoadOptions = { port: number; requests: string[]; connections: number; milliseconds: number };

/** `latencies` in milliseconds: median and 99th percentile. */
export type LoadResult = { responses: number; refused: number; milliseconds: number; p50: number; p99: number };

const headEnd = "\r\n\r\n";
const lastChunk = Buffer.from("0\r\n\r\n");

async function generateLoad({ port, requests, connections, milliseconds }: LoadOptions): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  const startedAt = performance.now();
  const until = startedAt + milliseconds;
  const latencies: number[] = [];
  let refused = 0;
  let next = 0;
  await Promise.all(Array.from({ length: connections }, () => openConnection()));
  latencies.sort((one, other) => one - other);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN;
  return { responses: latencies.length, refused, milliseconds: performance.now() - startedAt, p50: at(0.5), p99: at(0.99) };

  function openConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0;
      let pendingBody: { remaining: number } | { tail: Buffer } | undefined;
      const send = () => {
        pendingBody = undefined;
        sentAt = performance.now();
        socket.write(bytes[next++ % bytes.length] as Buffer);
      };
      const receive = (chunk: Buffer) => {
        if (!pendingBody) {
          const end = chunk.indexOf(headEnd);
          if (end < 0) return reject(new Error("A response head came in several chunks."));
          const head = chunk.toString("latin1", 0, end);
          if (!/^HTTP\/1\.1 [23]/.test(head)) refused++;
          pendingBody = bodyOf(head);
          if ("remaining" in pendingBody) pendingBody.remaining -= chunk.length - end - headEnd.length;
        } else if ("remaining" in pendingBody) pendingBody.remaining -= chunk.length;
        if ("remaining" in pendingBody ? pendingBody.remaining > 0 : !endsWithLastChunk(pendingBody, chunk)) return;
        latencies.push(performance.now() - sentAt);
        if (performance.now() < until) return send();
        socket.destroy();
        resolve();
      };
      const buffer = Buffer.allocUnsafe(256 * 1024);
      const callback = (length: number) => {
        receive(buffer.subarray(0, length));
        return true;
      };
      const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
      socket.once("connect", send).once("error", reject);
      socket.once("close", () => reject(new Error("The server closed a connection.")));
    });
  }
}

function bodyOf(head: string): { remaining: number } | { tail: Buffer } {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return { remaining: Number(length) };
  return /^transfer-encoding: chunked/im.test(head) ? { tail: Buffer.alloc(0) } : { remaining: 0 };
}

function endsWithLastChunk(pendingBody: { tail: Buffer }, chunk: Buffer): boolean {
  const tail = chunk.length >= lastChunk.length ? chunk : Buffer.concat([pendingBody.tail, chunk]);
  pendingBody.tail = Buffer.from(tail.subarray(-lastChunk.length));
  return pendingBody.tail.equals(lastChunk);
}

process.on("message", async (options: LoadOptions) => {
  process.send?.(await generateLoad(options).catch((error: Error) => ({ failed: error.message })));
});
process.on("disconnect", () => process.exit(0));
