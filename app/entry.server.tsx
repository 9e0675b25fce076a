import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { nonceContext, requestIdContext, siteContext } from "#app/context.ts";
import { isRefusal } from "#domain/refusals.ts";
import { NonceContext } from "./nonce.tsx";
import { PrefetchContext, readersCode } from "./shell/prefetch.tsx";
import { RequestIdContext } from "./shell/report-id.tsx";

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
  let answered = status;

  return new Promise<Response>((resolve, reject) => {
    const page = (
      <NonceContext value={nonce}>
        <PrefetchContext value={readersCode(entry.manifest)}>
          <RequestIdContext value={context.get(requestIdContext)}>
            <ServerRouter context={entry} url={request.url} {...withNonce} />
          </RequestIdContext>
        </PrefetchContext>
      </NonceContext>
    );
    const { pipe, abort } = renderToPipeableStream(page, {
      ...withNonce,
      onAllReady() {
        clearTimeout(late);
        headers.set("content-type", "text/html; charset=utf-8");
        pipe(collect((body) => resolve(new Response(body, { status: answered, headers }))));
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

/** A page is sent whole: its loaders have ended before it is drawn, and a stream through all handlers costs as much as drawing it. */
function collect(done: (body: Uint8Array<ArrayBuffer>) => void): Writable {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write(chunk, _encoding, next) {
      chunks.push(chunk);
      next();
    },
    final(next) {
      done(Buffer.concat(chunks));
      next();
    },
  });
}

/** Faults go to the log; refusals and answers such as a 404 are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || isRouteErrorResponse(error)) return;
  context.get(siteContext).log.error({ err: error, path: new URL(request.url).pathname }, "a loader or action failed");
};
