import { formLimits } from "#domain/forms/form-limits.ts";
import { kilobyte, megabyte } from "#platform/bytes.ts";

export type Rate = { burst: number; perSecond: number };

export type RouteClass = {
  /** `*` matches one part of the path, `**` any number. A final `.data` or `/_.data` is ignored. */
  routes: string[];
  when: "reading" | "writing" | "preflight" | "always";
  points: number;
  /** Bytes as they arrive: without and with a session. */
  maxBody: { visitor: number; signedIn: number };
  ownRate?: Rate;
  concurrent: number;
  queued?: boolean;
  shedUnderLoad: boolean;
};

export const networkRate: Rate = { burst: 2_000, perSecond: 100 };
export const accountRate: Rate = { burst: 800, perSecond: 25 };

export const urlLimits = {
  /** Characters of path and query, and number of parameters. API clients send filters. */
  pages: { length: 4 * kilobyte, parameters: 60 },
  api: { length: 12 * kilobyte, parameters: 250 },
};
export const maxHeaders = 100;
export const maxHeaderBytes = 16 * kilobyte;

/** How many times a network's connections and sockets an IPv6 /56 or /48 may have. */
export const wideNetworkFactors = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 8 },
] as const;

export const connectionLimits = {
  total: 30_000,
  perNetwork: 1_000,
  /** Milliseconds that any body may take, bytes per second that it must reach beyond them, and milliseconds between checks. */
  bodyTimeoutMs: 30_000,
  minBodyBytesPerSecond: 16 * kilobyte,
  bodyCheckMs: 5_000,
};

export const socketLimits = {
  perNetwork: 200,
  anonymousApiPerNetwork: 10,
  perAccount: 50,
  total: 20_000,
};

/** Signing in takes about 30 ms, mostly hashing. A longer wait is answered with 503. */
export const signInQueueLimits = { minTurnMs: 40, maxTurnMs: 250, maxWaitMs: 15_000 };

const smallBody = 64 * kilobyte;

/**
 * Bytes of bodies larger than `uncounted` at one time, in this process: with their copies while they are read and parsed, they take several
 * times as much. IPv6 counts by /48. After `slowAfterMs`, a body that has arrived at fewer bytes a second makes room for others.
 */
export const bodyMemory = {
  uncounted: smallBody,
  perNetwork: 64 * megabyte,
  total: 256 * megabyte,
  slowAfterMs: 5_000,
  slowBytesPerSecond: 256 * kilobyte,
};

const smallBodies = { visitor: smallBody, signedIn: smallBody };
const upTo = (bytes: number) => ({ ...smallBodies, signedIn: bytes });
const documentRoutes = "/v1/{databases,tablesdb}/*/{collections,tables}/*/{documents,rows}";
const apiFileRoutes = "/v1/storage/buckets/*/files";

export const routeClasses = {
  health: row("always", ["/healthz", "/readyz"], { points: 0 }),
  assets: row("reading", ["/assets/**"], { points: 0 }),
  pictures: row("reading", ["/files/**"], { points: 0.1 }),

  // Forms
  signIn: row(
    "writing",
    ["/login", "/login/**", "/signup", "/forgot-password", "/reset-password", "/v1/account", "/v1/account/sessions/**"],
    {
      points: 5,
      ownRate: { burst: 300, perSecond: 3 },
      queued: true,
      shedUnderLoad: true,
    },
  ),
  // GET too: it depends on a link that expires, and isn't cached.
  setup: row("always", ["/setup"], { points: 5, ownRate: { burst: 60, perSecond: 1 }, queued: true, shedUnderLoad: true }),
  stories: row("writing", ["/add-post", "/edit-post/*", "/edit-profile", "/drafts/picture"], {
    points: 5,
    maxBody: upTo(formLimits.pictures.maxBytes),
    ownRate: { burst: 120, perSecond: 2 },
    concurrent: 10,
    shedUnderLoad: true,
  }),
  clientErrors: row("writing", ["/client-errors"], {
    points: 5,
    maxBody: { visitor: 8 * kilobyte, signedIn: 8 * kilobyte },
    ownRate: { burst: 30, perSecond: 0.2 },
    concurrent: 5,
    shedUnderLoad: true,
  }),
  // Each looks up an address that the client chose.
  devices: row("writing", ["/notifications/devices"], {
    points: 5,
    ownRate: { burst: 30, perSecond: 0.2 },
    concurrent: 10,
    shedUnderLoad: true,
  }),
  drafts: row("writing", ["/drafts/save"], { points: 1, maxBody: upTo(formLimits.text.maxBytes), concurrent: 20 }),
  preview: row("writing", ["/add-post/preview"], {
    points: 5,
    maxBody: upTo(formLimits.text.maxBytes),
    ownRate: { burst: 120, perSecond: 5 },
    concurrent: 30,
    shedUnderLoad: true,
  }),
  pageTexts: row("writing", ["/admin/settings/pages/*"], { points: 5, maxBody: upTo(formLimits.text.maxBytes), concurrent: 10 }),
  attachments: row("writing", ["/messages/*/attach"], {
    points: 5,
    maxBody: upTo(formLimits.attachment.maxBytes),
    ownRate: { burst: 240, perSecond: 4 },
    concurrent: 20,
    shedUnderLoad: true,
  }),

  // Expensive reads
  search: row("reading", ["/search/**"], { points: 2, ownRate: { burst: 200, perSecond: 20 }, shedUnderLoad: true }),
  // Compares two texts of up to 500,000 characters.
  history: row("reading", ["/drafts/*/history", "/edit-post/*/history"], {
    points: 25,
    ownRate: { burst: 30, perSecond: 0.5 },
    concurrent: 5,
    shedUnderLoad: true,
  }),
  feeds: row("reading", ["/feed.xml", "/profile/*/feed.xml", "/sitemap.xml", "/sitemap/*"], {
    points: 5,
    ownRate: { burst: 120, perSecond: 2 },
    concurrent: 10,
    shedUnderLoad: true,
  }),
  downloads: row("reading", ["/account/export/*", "/admin/analytics/export/*", "/admin/audit/export", "/admin/database/backups/*"], {
    points: 50,
    concurrent: 10,
    shedUnderLoad: true,
  }),

  // The API
  preflights: row("preflight", ["/v1/**"], { points: 0.1 }),
  apiUpload: row("writing", [apiFileRoutes], {
    points: 5,
    maxBody: upTo(formLimits.apiUpload.maxBytes),
    ownRate: { burst: 240, perSecond: 4 },
    concurrent: 20,
    shedUnderLoad: true,
  }),
  apiPreview: row("reading", [`${apiFileRoutes}/*/preview`], {
    points: 10,
    ownRate: { burst: 120, perSecond: 5 },
    concurrent: 12,
    shedUnderLoad: true,
  }),
  apiList: row("reading", [documentRoutes, apiFileRoutes], {
    points: 4,
    ownRate: { burst: 400, perSecond: 25 },
    concurrent: 40,
    shedUnderLoad: true,
  }),
  apiWrite: row("writing", [documentRoutes, `${documentRoutes}/*`], { points: 4, maxBody: upTo(4 * megabyte), shedUnderLoad: true }),
  // Preferences of 65,535 bytes have a name around them.
  apiPrefs: row("writing", ["/v1/account/prefs"], { maxBody: upTo(2 * smallBody) }),
  api: row("always", ["/v1/**"], { points: 1 }),

  // WebSocket upgrades. Lets a network reconnect all of its sockets three times in a row.
  sockets: row("always", ["/live", "/v1/realtime"], { points: 1, ownRate: { burst: 3 * socketLimits.perNetwork, perSecond: 40 } }),

  writing: row("writing", ["/**"], { points: 2 }),
  reading: row("reading", ["/**"], { points: 1 }),
} satisfies Record<string, RouteClass>;

export const searchPoints = 3;

function row(when: RouteClass["when"], routes: string[], chosen: Partial<RouteClass>): RouteClass {
  return { when, routes, points: 1, maxBody: smallBodies, concurrent: 300, shedUnderLoad: false, ...chosen };
}
