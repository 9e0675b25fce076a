import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRequestLimiter } from "#server/limits/request-limiter.ts";
import { apiRoutes } from "#server/v1/api.ts";
import { type OpenApi, openApi } from "./api.ts";
import { writePost } from "./collection.ts";
import { RequestMaker } from "./random-requests.ts";

/** The number is in README.md. */
const requests = Number(process.env.API_REQUESTS ?? 1500);
const seed = Number(process.env.API_SEED ?? 20261121);

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
});
afterEach(() => api.close());

test(`${requests} random requests get documented responses, never a 500`, { timeout: 3_600_000 }, async () => {
  const { site, tobias, ruth } = api.world;
  await writePost(api, "a");
  await writePost(api, "secret", { title: "Secret", content: "nobody reads this", status: "inactive" });
  let sessions: string[] = [];
  const routes = apiRoutes({ site, limiter: createRequestLimiter({ now: site.now, hasCredentials: () => true }) });
  const generator = new RequestMaker(seed);
  const unexpected: unknown[] = [];
  const statuses = new Map<number, number>();
  const heaps: number[] = [];
  for (let count = 0; count < requests; count++) {
    // Some of the requests sign out.
    if (count % 100 === 0) sessions = await Promise.all([tobias, tobias, ruth].map((person) => api.signIn(person)));
    const { method, path, headers, body } = generator.next(sessions);
    const init = { method, headers, ...(body && { body: new Uint8Array(body) }) };
    const response = await Promise.resolve(routes.request(path, init)).catch((error: unknown) => error as Error);
    if (response instanceof Error) {
      unexpected.push([method, path.slice(0, 300), String(response)]);
      continue;
    }
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const text = await response.text();
    const isError = response.status >= 400;
    const error = isError && method !== "HEAD" ? (JSON.parse(text) as Record<string, unknown>) : undefined;
    const isComplete = !error || (error.code === response.status && typeof error.type === "string" && typeof error.message === "string");
    const leaks = sessions.slice(0, 2).includes(headers["x-appwrite-session"] ?? "") && text.includes("nobody reads this");
    if (response.status >= 500 || !isComplete || leaks)
      unexpected.push([
        method,
        path.slice(0, 300),
        response.status,
        text.slice(0, 300),
        Buffer.from(body ?? [])
          .toString()
          .slice(0, 300),
      ]);
    if ((count + 1) % Math.ceil(requests / 5) === 0) heaps.push(heapBytes());
  }
  expect(unexpected.slice(0, 5)).toEqual([]);
  console.info(
    `seed ${seed}: ${[...statuses]
      .sort()
      .map(([status, many]) => `${status} x ${many}`)
      .join(", ")}; heap after each fifth: ${heaps.map((each) => (each / megabyte).toFixed(0)).join(", ")} MB`,
  );
  expect(heapBytes() - (heaps[0] ?? 0)).toBeLessThan(60 * megabyte);
});

const megabyte = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes in use after a collection. */
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
