import { createHash } from "node:crypto";
import type { Context } from "hono";

export type LimitRefusal = {
  status: 403 | 413 | 414 | 429 | 431 | 503;
  message: string;
  /** Seconds. */
  retryAfter?: number | undefined;
};

export const limitRefusals = {
  foreign: { status: 403, message: "This form came from another site. Open the page here and send it again." },
  body: { status: 413, message: "This is too large. Please make it smaller and try again." },
  url: { status: 414, message: "This URL is too long." },
  headers: { status: 431, message: "Your browser sent too much with this request. Clearing this site’s cookies may help." },
  rate: { status: 429, message: "That was a lot at once. Please wait a moment and try again." },
  busy: { status: 503, message: "The site is very busy right now. Please try again in a few seconds." },
} as const satisfies Record<string, LimitRefusal>;

export const busyRetryAfterSeconds = 5;

// Colors of app/theme/colors.css: the page loads nothing.
const styles = `
:root{color-scheme:light dark;--accent:light-dark(#b8350f,#ff8a66)}
body{max-width:32rem;margin:0 auto;padding:15vh 1.25rem 3rem;background:light-dark(#faf7f0,#161310);color:light-dark(#17212d,#f3ece0);font:1.125rem/1.6 Georgia,"Times New Roman",serif}
h1{margin:0 0 1rem;font-size:clamp(1.75rem,6vw,2.5rem);line-height:1.15}
p{margin:0 0 1rem}
a{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
`;
const stylesHash = createHash("sha256").update(styles).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${stylesHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** A small page for browser navigation, otherwise JSON. Needs neither the database nor the pages. */
export function refuse(c: Context, refusal: LimitRefusal): Response {
  const { status, message, retryAfter } = refusal;
  const headers = new Headers({ "cache-control": "no-store" });
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  const isDocument = c.req.header("accept")?.includes("text/html") && !c.req.path.endsWith(".data");
  headers.set("content-type", isDocument ? "text/html; charset=utf-8" : "application/json");
  headers.set("content-security-policy", policy);
  return new Response(isDocument ? pageOf(refusal, c.req.method) : JSON.stringify({ message, error: message }), { status, headers });
}

function pageOf({ status, message }: LimitRefusal, method: string): string {
  const isTemporary = status === 429 || status === 503;
  const title = isTemporary ? "One moment, please" : "This didn’t work";
  const link = isTemporary ? '<a href="">Try again</a>' : '<a href="/">Go Home</a>';
  const next = method === "GET" ? link : "Go back to find what you typed.";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${styles}</style><h1>${title}</h1><p>${message}</p><p>${next}</p></html>`;
}
