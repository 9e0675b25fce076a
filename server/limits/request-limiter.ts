import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler, Next } from "hono";
import { networkOf, wideNetworkOf } from "#domain/limits/rate-limits.server.ts";
import type { Web } from "../http.ts";
import { type BodyReservation, type BodySender, openBodyMemory, withLimitedBody } from "./bodies.ts";
import { Buckets, type SharedTokenBuckets, type TokenBuckets } from "./buckets.ts";
import { clientIpReader } from "./client-ip.ts";
import { ConcurrencyCounter } from "./concurrent.ts";
import { busyRetryAfterSeconds, type LimitRefusal, limitRefusals } from "./refuse.ts";
import { isReadMethod, isSearch, routeClassOf } from "./route-class.ts";
import { SignInQueue } from "./sign-in-queue.ts";
import {
  accountRate,
  maxHeaders,
  networkRate,
  type Rate,
  type RouteClass,
  routeClasses,
  searchPoints,
  signInQueueLimits,
  urlLimits,
} from "./table.ts";

type RequestLimiterOptions = {
  proxies?: string[] | undefined;
  /** Multiplies all rates and the number of concurrent requests. */
  limitFactor?: number | undefined;
  /** Milliseconds. */
  now: () => number;
  /** Absent: each process counts by itself. */
  counts?: Pick<SharedTokenBuckets, "open"> | undefined;
  isOverloaded?: (() => boolean) | undefined;
  hasCredentials: (c: Context<Web>) => boolean;
};

type Refuse = (c: Context<Web>, refusal: LimitRefusal) => Response;

const busy: LimitRefusal = { ...limitRefusals.busy, retryAfter: busyRetryAfterSeconds };

export type RequestLimiter = {
  check(refuse: Refuse): MiddlewareHandler<Web>;
  /** For responses sent without a route. False, uncounted: let the routes handle it. */
  admit(incoming: IncomingMessage, points: number): boolean;
  countUpgrade(incoming: IncomingMessage): LimitRefusal | undefined;
  countAccount(c: Context<Web>, accountId: string): LimitRefusal | undefined;
};

/** Enforces server/limits/table.ts before any route runs. */
export function createRequestLimiter({
  proxies,
  limitFactor: factor = 1,
  now,
  counts,
  isOverloaded = () => false,
  hasCredentials,
}: RequestLimiterOptions): RequestLimiter {
  const clientIp = clientIpReader(proxies);
  const open = (name: string, rate: Rate): TokenBuckets =>
    counts ? counts.open(name, scaleRate(rate, factor)) : new Buckets(scaleRate(rate, factor), now);
  const networks = open("network", networkRate);
  const accounts = open("account", accountRate);
  const ownBuckets = new Map<RouteClass, TokenBuckets>();
  for (const [name, row] of Object.entries<RouteClass>(routeClasses)) if (row.ownRate) ownBuckets.set(row, open(name, row.ownRate));
  const running = new ConcurrencyCounter();
  const signIns = new SignInQueue(signInQueueLimits);
  const openReservation = openBodyMemory(factor, now);

  function countNetwork(network: string, points: number, row?: RouteClass): LimitRefusal | undefined {
    const wait = (row && ownBuckets.get(row)?.take(network, 1)) || networks.take(network, points);
    return wait > 0 ? { ...limitRefusals.rate, retryAfter: wait } : undefined;
  }

  function bodyRefusal(c: Context<Web>, row: RouteClass, reservation: BodyReservation): LimitRefusal | undefined {
    const length = c.req.header("content-length");
    const { visitor, signedIn } = row.maxBody;
    // Lazy: it checks a signature.
    const maxBytes = () => (signedIn > visitor && hasCredentials(c) ? signedIn : visitor);
    if (length === undefined) c.req.raw = withLimitedBody(c.req.raw, maxBytes(), reservation);
    else if (Number(length) > visitor && !(Number(length) <= maxBytes())) return limitRefusals.body;
    else if (!reservation.reserve(Number(length))) return busy;
    return undefined;
  }

  async function handle(c: Context<Web>, { row, sender, refuse }: { row: RouteClass; sender: BodySender; refuse: Refuse }, next: Next) {
    if (isReadMethod(c.req.method)) {
      await next();
      return undefined;
    }
    const reservation = openReservation(sender);
    try {
      const refusal = bodyRefusal(c, row, reservation);
      if (refusal) return refuse(c, refusal);
      await next();
      // A body without a length found no memory left; the route reported it as too large.
      if (reservation.wasRefused && !c.env?.outgoing?.headersSent) {
        c.res = undefined;
        c.res = refuse(c, busy);
      }
    } finally {
      reservation.release();
    }
    return undefined;
  }

  return {
    check: (refuse) => async (c, next) => {
      const row = routeClassOf(c.req.method, c.req.path);
      // Tests have no connection.
      const incoming = c.env?.incoming;
      const ip = incoming && clientIp(incoming);
      const network = ip && networkOf(ip);
      const badShape = shapeRefusal(c);
      if (badShape) return refuse(c, (network !== undefined && countNetwork(network, 1)) || badShape);
      if (row.shedUnderLoad && isOverloaded()) return refuse(c, busy);
      const points = row.points + (isSearch(c.req.url) ? searchPoints : 0);
      c.set("points", points);
      const sender = { network: ip && (wideNetworkOf(ip, 48) ?? network), incoming };
      const request = { row, sender, refuse };
      if (network === undefined || points === 0) return handle(c, request, next);
      const refusal = countNetwork(network, points, row);
      if (refusal) return refuse(c, refusal);
      const leave = running.enter(`${row.routes[0]} ${network}`, row.concurrent * factor);
      if (!leave) return refuse(c, { ...limitRefusals.rate, retryAfter: 1 });
      let end: (() => void) | undefined;
      try {
        // An IPv6 line has more /64 than the queue has places.
        end = row.queued ? await signIns.begin(sender.network ?? network) : () => {};
        return end ? await handle(c, request, next) : refuse(c, busy);
      } finally {
        end?.();
        leave();
      }
    },
    admit: (incoming, points) => incoming.rawHeaders.length <= 2 * maxHeaders && networks.take(networkOf(clientIp(incoming)), points) === 0,
    countUpgrade: (incoming) => countNetwork(networkOf(clientIp(incoming)), routeClasses.sockets.points, routeClasses.sockets),
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
  const { length, parameters } = c.req.path.startsWith("/v1/") ? urlLimits.api : urlLimits.pages;
  const { url } = c.req;
  if (url.length > length || occursMoreThan(url, "&", parameters)) return limitRefusals.url;
  const rawHeaders = c.env?.incoming?.rawHeaders;
  return rawHeaders && rawHeaders.length > 2 * maxHeaders ? limitRefusals.headers : undefined;
}

function occursMoreThan(text: string, character: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) if (++count > max) return true;
  return false;
}
