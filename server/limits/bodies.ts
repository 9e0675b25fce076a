import { BodyTooLarge } from "#platform/bounded-body.ts";
import { ConcurrencyCounter } from "./concurrent.ts";
import { bodyMemory } from "./table.ts";

/** Memory reserved for one request's body. */
export type BodyReservation = {
  /** In bytes. False beyond the limits. */
  reserve(bytes: number): boolean;
  readonly wasRefused: boolean;
  release(): void;
};

/** Counts large bodies from their arrival until their requests are handled, all together and by network. */
export function openBodyMemory(factor: number): (network: string | undefined) => BodyReservation {
  const { uncounted, perNetwork, total } = bodyMemory;
  const counter = new ConcurrencyCounter();
  return (network) => {
    const releases: (() => void)[] = [];
    let wasRefused = false;
    const enter = (key: string, max: number, bytes: number) => {
      const release = counter.enter(key, max, bytes);
      if (release) releases.push(release);
      else wasRefused = true;
      return release !== undefined;
    };
    return {
      reserve: (bytes) =>
        bytes <= uncounted ||
        (enter("all", total, bytes) && (network === undefined || enter(`network ${network}`, Math.min(total, perNetwork * factor), bytes))),
      get wasRefused() {
        return wasRefused;
      },
      release: () => {
        for (const release of releases) release();
      },
    };
  };
}

/**
 * For bodies without a length; Node enforces a given one. The returned request's body fails with `BodyTooLarge` beyond `maxBytes`, or when it is
 * large and `maxBytes` can't be reserved.
 */
export function withLimitedBody(request: Request, maxBytes: number, reservation: BodyReservation): Request {
  if (!request.body) return request;
  let size = 0;
  let isCounted = false;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      isCounted ||= size > bodyMemory.uncounted && reservation.reserve(maxBytes);
      if (size > maxBytes || (size > bodyMemory.uncounted && !isCounted)) controller.error(new BodyTooLarge());
      else controller.enqueue(chunk);
    },
  });
  const init: RequestInit & { duplex: "half" } = { body: request.body.pipeThrough(counting), duplex: "half" };
  return new Request(request, init);
}
