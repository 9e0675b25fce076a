import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { connectionTo, findTarget, NotAllowedTarget, type Reach, type Target } from "./target.ts";

export type Posting = { headers: Record<string, string>; body: string | Uint8Array; signal?: AbortSignal };
export type PostAnswer = { status: number; retryAfter: string | undefined /** The first kilobyte. */; answer: string };

/** Posts to addresses of someone's choosing, as closed as the fetcher. Redirects are answers like any other. */
export type Poster = {
  /** Whether it would be asked. @throws NotAllowedTarget, Error for a name without an address */
  check(address: string): Promise<void>;
  /** @throws NotAllowedTarget, Error where nobody answers in time */
  post(address: string, posting: Posting): Promise<PostAnswer>;
};

export type PosterParts = Reach & {
  /** Also to machines that only this one reaches, and without encryption. */
  allowPrivate?: boolean;
  /** A certificate to be trusted beside the machine's own. */
  ca?: string;
};

const totalTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
const maxAnswerBytes = 1024;

export function createPoster({ allowPrivate = false, ca, ...reach }: PosterParts = {}): Poster {
  const find = async (address: string) => {
    const url = URL.parse(address);
    if (!url) throw new NotAllowedTarget("it is no address");
    if (!allowPrivate && url.protocol !== "https:") throw new NotAllowedTarget(`${url.protocol} is not encrypted`);
    return { url, target: allowPrivate ? await anyTarget(url) : await findTarget(url, reach) };
  };
  return {
    async check(address) {
      await find(address);
    },
    async post(address, { signal, ...posting }) {
      const timeout = AbortSignal.timeout(totalTimeoutMs);
      const until = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const { url, target } = await find(address);
      until.throwIfAborted();
      return send(url, target, { ...posting, signal: until, ca });
    },
  };
}

async function anyTarget(url: URL): Promise<Target> {
  const { address } = await lookup(url.hostname.replace(/^\[|\]$/g, ""));
  return { address, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

type Sending = Posting & { signal: AbortSignal; ca: string | undefined };

function send(url: URL, target: Target, { headers, body, signal, ca }: Sending): Promise<PostAnswer> {
  const bytes = Buffer.from(body);
  const all = { host: url.host, "accept-encoding": "identity", "user-agent": "Inkstead", "content-length": bytes.byteLength, ...headers };
  const options = { ...connectionTo(url, target), method: "POST", headers: all, signal, maxHeaderSize: maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request({ ...options, ...(ca !== undefined && { ca }) }) : http.request(options);
    request.on("error", reject).on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      const read = text(firstBytes(response)).then((answer) => ({ status, retryAfter: headers["retry-after"], answer }));
      read.then(resolve, reject).finally(() => request.destroy());
    });
    request.end(bytes);
  });
}

async function* firstBytes(response: Readable): AsyncGenerator<Buffer> {
  let left = maxAnswerBytes;
  for await (const part of response) {
    yield (part as Buffer).subarray(0, left);
    left -= (part as Buffer).byteLength;
    if (left <= 0) return;
  }
}
