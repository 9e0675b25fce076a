import { Hono } from "hono";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Site } from "#domain/site.ts";
import type { Web } from "./http.ts";
import { observeRequests } from "./middleware.ts";
import { requestIds } from "./request-ids.ts";

test("a log line has the beginning of a long path", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const web = new Hono<Web>();
  web.use(observeRequests({ log } as unknown as Site, { idOf: requestIds([]), metrics: undefined, patternOf: () => "*" }));
  web.get("/b*", (c) => c.text("failed", 500));
  await web.request(`/${"a".repeat(15_000)}`);
  await web.request(`/${"b".repeat(15_000)}`);
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([`/${"a".repeat(299)}`, `/${"b".repeat(299)}`]);
  for (const line of lines) expect(line.length).toBeLessThan(1_000);
});
