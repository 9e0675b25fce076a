import { expect, inject, test } from "vitest";
import { publishAndKill } from "./faults/crash.ts";
import { startS3 } from "./support/s3.ts";

test("a server killed while it publishes leaves the whole story or nothing of it", { timeout: 600_000 }, async () => {
  const { whole, absent } = await publishAndKill(4, inject("engine"));
  expect(whole + absent).toBe(4);
});

test("so does one whose files are on S3", { timeout: 600_000 }, async () => {
  const s3 = await startS3();
  const place = s3.place();
  const kept = () => [...new Set(s3.keys(place).map((key) => key.split("/")[0] ?? ""))].filter((folder) => folder !== "probe");
  const { whole, absent } = await publishAndKill(2, inject("engine"), () => {}, { environment: s3.environment(place), kept });
  await s3.close();
  expect(whole + absent).toBe(2);
});
