import https from "node:https";
import { isIP } from "node:net";
import { NotFetched, resolveName, type Target, targetOf } from "./fetcher.ts";

type Posting = { headers: Record<string, string>; body: Uint8Array };

/** What it was answered; nothing of the answer's text is read. */
export type PostAnswer = { status: number; retryAfter: string | undefined };

/** Sends bytes to addresses of someone's choosing. */
export type Poster = {
  /** @throws NotFetched for what isn't an https address of the public network. */
  check(address: string): Promise<void>;
  /** Follows no redirect. @throws NotFetched */
  post(address: string, posting: Posting): Promise<PostAnswer>;
};

export type PosterParts = {
  resolve?: (hostname: string) => Promise<string[]>;
  also?: Target[];
  /** A certificate to be trusted beside the machine's own. */
  ca?: string;
};

const totalTimeoutMs = 8_000;
const maxHeaderBytes = 16 * 1024;

/** As closed as the fetcher: the connection goes to the address that was looked at, and to a machine of the public network only. */
export function createPoster({ resolve = resolveName, also = [], ca }: PosterParts = {}): Poster {
  const find = async (address: string) => {
    const url = URL.parse(address);
    if (url?.protocol !== "https:") throw new NotFetched("only https addresses are posted to");
    return { url, target: await targetOf(url, resolve, also) };
  };
  return {
    async check(address) {
      await find(address);
    },
    async post(address, posting) {
      try {
        const { url, target } = await find(address);
        return await send(url, target, posting, ca);
      } catch (error) {
        throw error instanceof NotFetched ? error : new NotFetched((error as Error).message, { cause: error });
      }
    },
  };
}

function send(url: URL, { address, port }: Target, { headers, body }: Posting, ca: string | undefined): Promise<PostAnswer> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    ...{ method: "POST", host: address, port, path: url.pathname + url.search, servername: isIP(name) ? "" : name },
    ...{ headers: { ...headers, host: url.host, "content-length": body.byteLength }, agent: false as const },
    ...{ signal: AbortSignal.timeout(totalTimeoutMs), maxHeaderSize: maxHeaderBytes, ...(ca !== undefined && { ca }) },
  };
  return new Promise((resolve, reject) => {
    const request = https.request(options).on("error", reject);
    request.on("response", ({ statusCode = 0, headers: { "retry-after": retryAfter } }) => {
      resolve({ status: statusCode, retryAfter });
      request.destroy();
    });
    request.end(body);
  });
}
