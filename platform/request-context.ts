import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

export type RequestContext = { id: string; path: string };

const running = new AsyncLocalStorage<RequestContext>();

/** Log lines of `work` name the request. */
export function runInRequest<Result>(request: RequestContext, work: () => Result): Result {
  return running.run(request, work);
}

export function currentRequest(): RequestContext | undefined {
  return running.getStore();
}

/** 48 random bits: short enough to read out. */
export function newRequestId(): string {
  return randomUUID().slice(0, 13);
}
