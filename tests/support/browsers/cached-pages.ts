import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import type { Site } from "#domain/site.ts";
import { serverOptions } from "#server/listen.ts";
import { openRoutes } from "#server/web.ts";

/** A site on a port that caches pages; `cacheHits()` counts responses from the cache. */
export type Served = { port: number; cacheHits(): number; close(): void };
export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

const pages = new URL("../../../build/server/index.js", import.meta.url);

export async function serve(site: Site, limitFactor: number): Promise<Served> {
  const build = async () => (await import(/* @vite-ignore */ pages.href)) as ServerBuild;
  const { web, sendCached } = openRoutes({ site, build, dev: false, cachePages: true, limitFactor });
  const route = getRequestListener(web.fetch);
  let cacheHits = 0;
  const server = createServer(serverOptions, (request, response) => {
    if (sendCached(request, response)) cacheHits++;
    else void route(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, cacheHits: () => cacheHits, close };
}

export function ask({ port }: Served, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, host: "127.0.0.1", path, method, headers }, async (response) => {
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    asking.on("error", reject).end();
  });
}
