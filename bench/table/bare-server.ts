import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Sends fixed bytes for every request: the maximum of `node:http`. */
export type FixedResponse = { headers: [name: string, value: string][]; body: string };

let headers: string[] = [];
let body = Buffer.alloc(0);
const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (fixed: FixedResponse) => {
  body = Buffer.from(fixed.body, "base64");
  headers = [...fixed.headers.flat(), "content-length", String(body.length)];
  process.send?.("ready");
});
process.on("disconnect", () => process.exit(0));
