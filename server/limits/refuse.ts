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
  address: { status: 414, message: "This URL is too long." },
  headers: { status: 431, message: "Your browser sent too much with this request. Clearing this site’s cookies may help." },
  rate: { status: 429, message: "That was a lot at once. Please wait a moment and try again." },
  busy: { status: 503, message: "The site is very busy right now. Please try again in a few seconds." },
} as const satisfies Record<string, LimitRefusal>;

export const busyRetryAfterSeconds = 5;

/** A small page for browser navigation, otherwise JSON. Needs neither the database nor the pages. */
export function refuse(c: Context, { status, message, retryAfter }: LimitRefusal): Response {
  const headers = new Headers({ "cache-control": "no-store" });
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  const isDocument = c.req.header("accept")?.includes("text/html") && !c.req.path.endsWith(".data");
  headers.set("content-type", isDocument ? "text/html; charset=utf-8" : "application/json");
  headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  return new Response(isDocument ? pageOf(message) : JSON.stringify({ message, error: message }), { status, headers });
}

function pageOf(message: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Please try again</title><h1>Please try again</h1><p>${message}</p><p>Go back to find what you typed.</p></html>`;
}
