import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { nonceContext, siteContext } from "#app/context.ts";
import { isRefusal } from "#domain/refusals.ts";
import { NonceContext } from "./nonce.tsx";
import { PrefetchContext, readersCode } from "./shell/prefetch.tsx";

/** Milliseconds after which data that a page still waits for is given up. */
export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = context.get(nonceContext);
  const withNonce = nonce ? { nonce } : {};
  const ready = isbot(request.headers.get("user-agent") ?? "") ? "onAllReady" : "onShellReady";
  let answered = status;

  return new Promise<Response>((resolve, reject) => {
    const page = (
      <NonceContext value={nonce}>
        <PrefetchContext value={readersCode(entry.manifest)}>
          <ServerRouter context={entry} url={request.url} {...withNonce} />
        </PrefetchContext>
      </NonceContext>
    );
    const { pipe, abort } = renderToPipeableStream(page, {
      ...withNonce,
      [ready]() {
        const body = new PassThrough();
        body.on("close", () => clearTimeout(late));
        headers.set("content-type", "text/html; charset=utf-8");
        pipe(body);
        resolve(new Response(createReadableStreamFromReadable(body), { status: answered, headers }));
      },
      onShellError: reject,
      onError(error) {
        answered = 500;
        context.get(siteContext).log.error({ err: error }, "a page failed to render");
      },
    });
    const late = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** Faults go to the log; refusals and answers such as a 404 are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || isRouteErrorResponse(error)) return;
  context.get(siteContext).log.error({ err: error, path: new URL(request.url).pathname }, "a loader or action failed");
};
