import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { connectionTo, findTarget, NotAllowedTarget, type Reach, type Target } from "./target.ts";

export type PostRequest = { headers: Record<string, string>; body: string; signal: AbortSignal };
export type PostAnswer = { status: number /** The first kilobyte. */; answer: string };

/**
 * Posts to an address that an administrator chose. Redirects are answers like any other. @throws NotAllowedTarget, Error where nobody answers
 * in time.
 */
export type Poster = (address: string, request: PostRequest) => Promise<PostAnswer>;

const totalTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
const maxAnswerBytes = 1024;

/** `allowPrivate`: also to machines that only this one reaches, and without encryption. */
export function createPoster({ allowPrivate, ...reach }: Reach & { allowPrivate: boolean }): Poster {
  return async (address, { signal, ...request }) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    const url = new URL(address);
    if (!allowPrivate && url.protocol !== "https:") throw new NotAllowedTarget(`${url.protocol} is not encrypted`);
    const target = allowPrivate ? await anyTarget(url) : await findTarget(url, { ...reach, anyPort: true });
    until.throwIfAborted();
    return send(url, target, { ...request, signal: until });
  };
}

async function anyTarget(url: URL): Promise<Target> {
  const { address } = await lookup(url.hostname.replace(/^\[|\]$/g, ""));
  return { address, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

function send(url: URL, target: Target, { headers, body, signal }: PostRequest): Promise<PostAnswer> {
  const bytes = Buffer.from(body);
  const all = { host: url.host, "accept-encoding": "identity", "user-agent": "Inkstead", "content-length": bytes.byteLength, ...headers };
  const options = { ...connectionTo(url, target), method: "POST", headers: all, signal, maxHeaderSize: maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request(options) : http.request(options);
    request.on("error", reject).on("response", (response) => {
      const read = text(firstBytes(response)).then((answer) => ({ status: response.statusCode ?? 0, answer }));
      read.then(resolve, reject).finally(() => request.destroy());
    });
    request.end(bytes);
  });
}

async function* firstBytes(response: IncomingMessage): AsyncGenerator<Buffer> {
  let left = maxAnswerBytes;
  for await (const part of response) {
    yield (part as Buffer).subarray(0, left);
    left -= (part as Buffer).byteLength;
    if (left <= 0) return;
  }
}
