import { renderToString } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { drawnContext, nonceContext, requestIdContext, siteContext } from "#app/context.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import { RequestIdContext } from "./faults/report-id.tsx";
import { NonceContext } from "./nonce.tsx";
import { PrefetchContext, readersCode } from "./shell/prefetch.tsx";
import { type Keep, KeepContext } from "./ui/kept.tsx";

/** Milliseconds after which data that a page still waits for is given up. */
export const streamTimeout = 5_000;

/** A page is sent whole: its loaders have ended before it is drawn, and drawing it in pieces costs half as much again. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = context.get(nonceContext);
  const chunks = [];
  for await (const chunk of entry.serverHandoffStream ?? []) chunks.push(chunk);
  const html = renderToString(
    <NonceContext value={nonce}>
      <PrefetchContext value={readersCode(entry.manifest)}>
        <KeepContext value={keeper(context.get(siteContext))}>
          <RequestIdContext value={context.get(requestIdContext)}>
            <ServerRouter context={onlyMatched(entry)} url={request.url} {...(nonce ? { nonce } : {})} />
          </RequestIdContext>
        </KeepContext>
      </PrefetchContext>
    </NonceContext>,
  );
  const end = html.lastIndexOf("</body>");
  const data = entry.renderMeta?.didRenderScripts ? dataScript(Buffer.concat(chunks).toString(), nonce) : "";
  context.set(drawnContext, `<!DOCTYPE html>${html.slice(0, end)}${data}${html.slice(end)}`);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(null, { status, headers });
}

/** For the router, which makes the routes that it is given anew for each page. */
function onlyMatched({ manifest, staticHandlerContext, serverHandoffStream: _, ...entry }: EntryContext): EntryContext {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]]));
  return { ...entry, staticHandlerContext, manifest: { ...manifest, routes } };
}

/** The loaders' data for the router in the browser, as its own component would write them in pieces. */
function dataScript(data: string, nonce: string): string {
  const stream = "window.__reactRouterContext.streamController";
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `<script${nonce ? ` nonce="${nonce}"` : ""}>${stream}.enqueue(${text});${stream}.close();</script>`;
}

function keeper({ memory }: Site): Keep {
  return (key, content) => {
    const known = memory.markup.get(key);
    if (known !== undefined) return known;
    const html = renderToString(content);
    memory.markup.set(key, html, 2 * (key.length + html.length));
    return html;
  };
}

/** Faults go to the log; refusals and answers such as a 404 are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || isRouteErrorResponse(error)) return;
  context.get(siteContext).log.error({ err: error, path: new URL(request.url).pathname }, "a loader or action failed");
};
