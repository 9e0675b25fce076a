import type { IncomingMessage, ServerResponse } from "node:http";
import type { Site } from "#domain/site.ts";
import { encodingFor } from "#platform/encoding.ts";
import { logLine } from "#platform/log.ts";
import { isForMedia } from "#server/files/picture-requests.ts";
import { matchesEtag } from "#server/files/ranges.ts";
import type { RequestLimiter } from "#server/limits/request-limiter.ts";
import { isSearch } from "#server/limits/route-class.ts";
import { searchPoints } from "#server/limits/table.ts";
import type { Metrics } from "#server/metrics/metrics.ts";
import { type RequestIds, requestIdHeader } from "#server/request-ids.ts";
import type { PageCache } from "./page-cache.ts";

/** Returns whether it has sent a response. All other requests belong to the routes. */
export type SendCached = (request: IncomingMessage, response: ServerResponse) => boolean;

type SenderOptions = {
  site: Site;
  cache: PageCache;
  limiter: Pick<RequestLimiter, "admit">;
  idOf: RequestIds;
  metrics?: Metrics | undefined;
  patternOf: (path: string) => string;
};

/** Sends cached pages from Node's request handler, before any router. */
export function cachedPageSender({ site, cache, limiter, idOf, metrics, patternOf }: SenderOptions): SendCached {
  return (request, response) => {
    const start = performance.now();
    const { method, url = "", headers } = request;
    if ((method !== "GET" && method !== "HEAD") || isForMedia(headers["sec-fetch-dest"] as string | undefined)) return false;
    const key = cache.keyOf(url, headers.cookie);
    const page = key === undefined ? undefined : cache.find(key);
    if (!page || !limiter.admit(request, isSearch(url) ? 1 + searchPoints : 1)) return false;
    const id = idOf(request);
    const etags = headers["if-none-match"];
    const isUnchanged = etags !== undefined && matchesEtag(etags, `"${page.etag}"`);
    if (isUnchanged) response.writeHead(304, [...page.unchanged, requestIdHeader, id]).end();
    else {
      const encoded = page.encodings[encodingFor(headers["accept-encoding"] as string | undefined)];
      response.writeHead(200, [...encoded.headers, requestIdHeader, id]);
      if (method === "HEAD") response.end();
      else response.end(encoded.body);
    }
    const path = pathOf(url);
    metrics?.observe({ method, route: patternOf(path), status: response.statusCode, seconds: (performance.now() - start) / 1000 });
    logLine(
      site.log,
      `"method":"${method}","path":${JSON.stringify(path)},"status":${response.statusCode},"ms":0,"requestId":"${id}"`,
      "request",
    );
    return true;
  };
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}
