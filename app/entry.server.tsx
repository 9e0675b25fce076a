import { renderToString } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { type HtmlPart, nonceContext, renderedHtmlContext, requestIdContext, siteContext } from "#app/context.ts";
import { isRefusal } from "#domain/refusals.ts";
import { RequestIdContext } from "./errors/request-id.tsx";
import { NonceContext } from "./nonce.tsx";
import { type RenderParts, renderSharedPage } from "./shared-pages.server.tsx";
import { PrefetchContext, readersCode } from "./shell/scripts/prefetch.tsx";
import { PlaceholderContext } from "./ui/personal.tsx";

/** Milliseconds for data that arrives after the loaders. */
export const streamTimeout = 5_000;

/** Not streamed: loaders have ended before rendering, and streaming costs half as much again. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const site = context.get(siteContext);
  const nonce = context.get(nonceContext);
  const chunks = [];
  for await (const chunk of entry.serverHandoffStream ?? []) chunks.push(chunk);
  const data = dataScript(Buffer.concat(chunks).toString(), nonce);
  const render = (parts: RenderParts) => renderPage(parts, request.url, context.get(requestIdContext));
  const parts = renderSharedPage(site, entry, { nonce, data, render }) ?? [wholePage(render({ entry, nonce }), entry, data)];
  context.set(renderedHtmlContext, parts);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(null, { status, headers });
}

function renderPage({ entry, nonce, placeholderOf }: RenderParts, url: string, requestId: string): string {
  return renderToString(
    <NonceContext value={nonce}>
      <PlaceholderContext value={placeholderOf}>
        <PrefetchContext value={readersCode(entry.manifest)}>
          <RequestIdContext value={requestId}>
            <ServerRouter context={onlyMatched(entry)} url={url} />
          </RequestIdContext>
        </PrefetchContext>
      </PlaceholderContext>
    </NonceContext>,
  );
}

function wholePage(html: string, { renderMeta }: EntryContext, data: string): HtmlPart {
  const end = html.lastIndexOf("</body>");
  const page = `<!DOCTYPE html>${html.slice(0, end)}${renderMeta?.didRenderScripts ? data : ""}${html.slice(end)}`;
  return { text: Buffer.from(page) };
}

/** The router rebuilds all routes of the manifest for each page. */
function onlyMatched({ manifest, staticHandlerContext, serverHandoffStream: _, ...entry }: EntryContext): EntryContext {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]]));
  return { ...entry, staticHandlerContext, manifest: { ...manifest, routes } };
}

/** The loaders' data, as the router's `Scripts` would stream them. */
function dataScript(data: string, nonce: string): string {
  const stream = "window.__reactRouterContext.streamController";
  return `<script${nonce ? ` nonce="${nonce}"` : ""}>${stream}.enqueue(${quoted(data)});${stream}.close();</script>`;
}

const escapes: Record<string, string> = { "'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "<": "\\x3c" };

/** A single-quoted script string: the data is full of double quotes. `<` could end the script element. */
function quoted(data: string): string {
  return `'${data.replace(/['\\\n\r<]/g, (sign) => escapes[sign] ?? sign)}'`;
}

/** Logs program errors, not refusals and responses such as a 404. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || isRouteErrorResponse(error)) return;
  context.get(siteContext).log.error({ err: error, path: new URL(request.url).pathname }, "a loader or action failed");
};
