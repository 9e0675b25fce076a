import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** The request that runs at the moment; `path` is without its query. */
export type RequestContext = { id: string; path: string };

const running = new AsyncLocalStorage<RequestContext>();

/** Runs `work` and whatever it begins as part of the request: each line of the log names it. */
export function inRequest<Result>(request: RequestContext, work: () => Result): Result {
  return running.run(request, work);
}

export function currentRequest(): RequestContext | undefined {
  return running.getStore();
}

/** Short enough to be read out: 48 random bits. */
export function newRequestId(): string {
  return randomUUID().slice(0, 13);
}
