import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };

/** A server that receives webhooks. */
export type Receiver = {
  address: string;
  received: Received[];
  /** Sets its responses; `hang` never responds. */
  answer: { status: number; body?: string; headers?: Record<string, string> } | "hang";
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    receiver.received.push({ path: request.url ?? "", headers: request.headers, body });
    const { answer } = receiver;
    if (answer !== "hang") response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    address: `http://127.0.0.1:${port}/inkstead`,
    received: [],
    answer: { status: 204 },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
