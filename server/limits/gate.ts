import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { networkOf } from "#domain/limits/attempts.server.ts";
import type { Web } from "../http.ts";
import { Buckets } from "./buckets.ts";
import { clientAddressReader } from "./client-address.ts";
import { Concurrent } from "./concurrent.ts";
import { withLimitedBody } from "./limited-body.ts";
import { busyRetryAfterSeconds, type LimitRefusal, limitRefusals } from "./refuse.ts";
import { isReading, isSearch, routeClassOf } from "./route-class.ts";
import type { SharedBuckets, SharedCounts } from "./shared-counts.ts";
import {
  accountRate,
  addressLimits,
  maxHeaders,
  networkRate,
  type Rate,
  type RouteClass,
  routeClasses,
  searchPoints,
  signInTurns,
} from "./table.ts";
import { Turns } from "./turns.ts";

type GateParts = {
  proxies?: string[] | undefined;
  /** Multiplies what networks and accounts may do per second and at the same time. */
  limitFactor?: number | undefined;
  /** Milliseconds. */
  now: () => number;
  /** Without it, each process counts for itself. */
  counts?: Pick<SharedCounts, "open"> | undefined;
  isOverloaded?: (() => boolean) | undefined;
  bringsSession: (c: Context<Web>) => boolean;
};

type Refuse = (c: Context<Web>, refusal: LimitRefusal) => Response;

export type Gate = {
  check(refuse: Refuse): MiddlewareHandler<Web>;
  /** Counts a request that is answered without a route; false for one that a route has to look at, uncounted. */
  admit(incoming: IncomingMessage, points: number): boolean;
  countAccount(c: Context<Web>, accountId: string): LimitRefusal | undefined;
};

/** What is in front of all routes: server/limits/table.ts says what each may be. */
export function openGate({ proxies, limitFactor: factor = 1, now, counts, isOverloaded = () => false, bringsSession }: GateParts): Gate {
  const clientAddress = clientAddressReader(proxies);
  const open = (name: string, rate: Rate): SharedBuckets =>
    counts ? counts.open(name, scaleRate(rate, factor)) : new Buckets(scaleRate(rate, factor), now);
  const networks = open("network", networkRate);
  const accounts = open("account", accountRate);
  const own = new Map<RouteClass, SharedBuckets>();
  for (const [name, row] of Object.entries<RouteClass>(routeClasses)) if (row.own) own.set(row, open(name, row.own));
  const working = new Concurrent();
  const signIns = new Turns(signInTurns);
  const ofSockets = new WeakMap<Socket, string>();

  /** A connection that comes through no proxy stays the same network's. */
  function networkOfRequest(incoming: IncomingMessage): string {
    if (incoming.headers["x-forwarded-for"] !== undefined) return networkOf(clientAddress(incoming));
    const known = ofSockets.get(incoming.socket);
    if (known) return known;
    const network = networkOf(clientAddress(incoming));
    ofSockets.set(incoming.socket, network);
    return network;
  }

  function countNetwork(network: string, row: RouteClass, points: number): LimitRefusal | undefined {
    const wait = own.get(row)?.take(network, 1) || networks.take(network, points);
    return wait > 0 ? { ...limitRefusals.rate, retryAfter: wait } : undefined;
  }

  function bodyRefusal(c: Context<Web>, row: RouteClass): LimitRefusal | undefined {
    if (isReading(c.req.method)) return undefined;
    const length = c.req.header("content-length");
    const { anybody, signedIn } = row.maxBody;
    // Looked at only where it matters: a signature has to be checked.
    const most = () => (signedIn > anybody && bringsSession(c) ? signedIn : anybody);
    if (length === undefined) c.req.raw = withLimitedBody(c.req.raw, most());
    else if (Number(length) > anybody && !(Number(length) <= most())) return limitRefusals.body;
    return undefined;
  }

  return {
    check: (refuse) => async (c, next) => {
      const row = routeClassOf(c.req.method, c.req.path);
      const misshapen = shapeRefusal(c);
      if (misshapen) return refuse(c, misshapen);
      if (row.sheds && isOverloaded()) return refuse(c, { ...limitRefusals.busy, retryAfter: busyRetryAfterSeconds });
      const points = row.points + (isSearch(c.req.url) ? searchPoints : 0);
      c.set("points", points);
      // Without a connection a test asks.
      const incoming = c.env?.incoming;
      const network = incoming ? networkOf(clientAddress(incoming)) : undefined;
      if (network === undefined || points === 0) {
        const tooLarge = bodyRefusal(c, row);
        return tooLarge ? refuse(c, tooLarge) : next();
      }
      const refusal = countNetwork(network, row, points) ?? bodyRefusal(c, row);
      if (refusal) return refuse(c, refusal);
      const leave = working.enter(`${row.routes[0]} ${network}`, row.concurrent * factor);
      if (!leave) return refuse(c, { ...limitRefusals.rate, retryAfter: 1 });
      let end: (() => void) | undefined;
      try {
        end = row.inTurn ? await signIns.begin(network) : () => {};
        if (!end) return refuse(c, { ...limitRefusals.busy, retryAfter: busyRetryAfterSeconds });
        await next();
      } finally {
        end?.();
        leave();
      }
    },
    admit: (incoming, points) => incoming.rawHeaders.length <= 2 * maxHeaders && networks.take(networkOfRequest(incoming), points) === 0,
    countAccount(c, accountId) {
      const wait = c.env?.incoming ? accounts.take(accountId, c.get("points") ?? 1) : 0;
      return wait > 0 ? { ...limitRefusals.rate, retryAfter: wait } : undefined;
    },
  };
}

function scaleRate({ burst, perSecond }: Rate, factor: number): Rate {
  return { burst: burst * factor, perSecond: perSecond * factor };
}

function shapeRefusal(c: Context<Web>): LimitRefusal | undefined {
  const { length, parameters } = c.req.path.startsWith("/v1/") ? addressLimits.api : addressLimits.pages;
  const { url } = c.req;
  if (url.length > length || isMoreThan(url, "&", parameters)) return limitRefusals.address;
  const rawHeaders = c.env?.incoming?.rawHeaders;
  return rawHeaders && rawHeaders.length > 2 * maxHeaders ? limitRefusals.headers : undefined;
}

function isMoreThan(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) if (++count > most) return true;
  return false;
}
