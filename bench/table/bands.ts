/** Limits of `npm run bench -- --check`. Shares are of bare `node:http`, rates are per CPU-second. */
export type Band = { atLeast?: number; atMost?: number };

const visitors = ["landing", "story"].flatMap((page) =>
  ["identity", "gzip", "br"].flatMap((encoding): [string, Band][] => [
    [`${page}, visitor, ${encoding}: share`, { atLeast: 0.6 }],
    [`${page}, visitor, ${encoding}, 20 likes a second: share`, { atLeast: 0.5 }],
  ]),
);

export const bands: Record<string, Band> = {
  ...Object.fromEntries(visitors),
  "home, signed in: per CPU-second": { atLeast: 600 },
  "story, signed in: per CPU-second": { atLeast: 1_000 },
  "/subscribe, signed in: per CPU-second": { atLeast: 1_500 },
  "/v1, one document: share": { atLeast: 0.2 },
  "/v1, list of 12: share": { atLeast: 0.2 },
  "cover, first request of a size: ms": { atMost: 300 },
  "messages, 1,000 a second: p99": { atMost: 60 },
  "messages, 6,000 a second: per second": { atLeast: 4_000 },
  "memory, idle: MB": { atMost: 150 },
  "memory, after load: MB": { atMost: 300 },
  "landing, scripts: kB": { atMost: 110 },
  "landing, scripts: files": { atMost: 12 },
  "landing, fonts: kB": { atMost: 120 },
  "story, scripts: kB": { atMost: 110 },
  "story, scripts: files": { atMost: 12 },
  "story, fonts: kB": { atMost: 120 },
  "home, signed in, HTML: kB": { atMost: 60 },
  "/subscribe, signed in, HTML: kB": { atMost: 15 },
};
