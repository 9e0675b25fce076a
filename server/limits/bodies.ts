import type { IncomingMessage } from "node:http";
import { BodyTooLarge } from "#platform/bounded-body.ts";
import { bodyMemory } from "./table.ts";

/** Memory reserved for one request's body. */
export type BodyReservation = {
  /** In bytes. False beyond the limits. */
  reserve(bytes: number): boolean;
  readonly wasRefused: boolean;
  release(): void;
};

/** Tests have no connection. */
export type BodySender = { network: string | undefined; incoming?: IncomingMessage | undefined };

type Body = { network: string | undefined; bytes: number; isSlow(): boolean; bytesPerSecond(): number; end(): void };

/**
 * Counts large bodies from their arrival until their requests are handled, all together and by network. One that finds no memory takes that of
 * slow ones, which could hold it for minutes. @param now - in milliseconds
 */
export function openBodyMemory(factor: number, now: () => number): (sender: BodySender) => BodyReservation {
  const { uncounted, perNetwork, total } = bodyMemory;
  const bodies = new Set<Body>();

  /** Ends slow bodies, the slowest first; none if that isn't enough. */
  function makeRoom(bytes: number, among: Body[], max: number): boolean {
    let excess = sumBytes(among) + bytes - max;
    if (excess <= 0) return true;
    const ended: Body[] = [];
    for (const body of among.filter(({ isSlow }) => isSlow()).toSorted((one, other) => one.bytesPerSecond() - other.bytesPerSecond())) {
      if (excess <= 0) break;
      excess -= body.bytes;
      ended.push(body);
    }
    if (excess > 0) return false;
    for (const body of ended) {
      bodies.delete(body);
      body.end();
    }
    return true;
  }

  return ({ network, incoming }) => {
    const progress = measureArrival(incoming, now);
    const own: Body[] = [];
    let wasRefused = false;
    return {
      reserve(bytes) {
        if (bytes <= uncounted) return true;
        const ofNetwork = () => [...bodies].filter((body) => body.network === network);
        const fits =
          (network === undefined || makeRoom(bytes, ofNetwork(), Math.min(total, perNetwork * factor))) &&
          makeRoom(bytes, [...bodies], total);
        if (fits) {
          const body = { network, bytes, ...progress };
          bodies.add(body);
          own.push(body);
        } else wasRefused = true;
        return fits;
      },
      get wasRefused() {
        return wasRefused;
      },
      release() {
        for (const body of own) bodies.delete(body);
      },
    };
  };
}

function sumBytes(bodies: Body[]): number {
  return bodies.reduce((sum, { bytes }) => sum + bytes, 0);
}

function measureArrival(incoming: IncomingMessage | undefined, now: () => number): Pick<Body, "isSlow" | "bytesPerSecond" | "end"> {
  const startedAt = now();
  const readBefore = incoming?.socket.bytesRead ?? 0;
  const bytesPerSecond = () => (((incoming?.socket.bytesRead ?? 0) - readBefore) / (now() - startedAt)) * 1000;
  return {
    bytesPerSecond,
    isSlow() {
      // Complete, or waiting for us.
      if (!incoming || incoming.complete || incoming.readableLength > 0) return false;
      return now() - startedAt >= bodyMemory.slowAfterMs && bytesPerSecond() < bodyMemory.slowBytesPerSecond;
    },
    end: () => void incoming?.destroy(),
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
