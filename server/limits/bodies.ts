import { BodyTooLarge } from "#platform/bounded-body.ts";
import { ConcurrencyCounter } from "./concurrent.ts";
import { bodyMemory } from "./table.ts";

/** The place of one request's body. */
export type BodyPlace = {
  /** In bytes. False beyond the limits. */
  take(bytes: number): boolean;
  readonly wasRefused: boolean;
  leave(): void;
};

/** Counts large bodies from their arrival until their requests are handled, all together and by network. */
export function openBodyMemory(factor: number): (network: string | undefined) => BodyPlace {
  const { uncounted, perNetwork, total } = bodyMemory;
  const counter = new ConcurrencyCounter();
  return (network) => {
    const leaves: (() => void)[] = [];
    let wasRefused = false;
    const enter = (key: string, max: number, bytes: number) => {
      const leave = counter.enter(key, max, bytes);
      if (leave) leaves.push(leave);
      else wasRefused = true;
      return leave !== undefined;
    };
    return {
      take: (bytes) =>
        bytes <= uncounted ||
        (enter("all", total, bytes) && (network === undefined || enter(`network ${network}`, Math.min(total, perNetwork * factor), bytes))),
      get wasRefused() {
        return wasRefused;
      },
      leave: () => {
        for (const leave of leaves) leave();
      },
    };
  };
}

/**
 * The request with a body that fails with `BodyTooLarge` beyond `maxBytes`, or without a place for as many once it is large. For bodies without
 * a length: Node enforces a given one.
 */
export function withLimitedBody(request: Request, maxBytes: number, place: BodyPlace): Request {
  if (!request.body) return request;
  let size = 0;
  let isCounted = false;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      isCounted ||= size > bodyMemory.uncounted && place.take(maxBytes);
      if (size > maxBytes || (size > bodyMemory.uncounted && !isCounted)) controller.error(new BodyTooLarge());
      else controller.enqueue(chunk);
    },
  });
  const init: RequestInit & { duplex: "half" } = { body: request.body.pipeThrough(counting), duplex: "half" };
  return new Request(request, init);
}
