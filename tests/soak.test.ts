import { expect, test } from "vitest";
import { restartUnderLoad } from "./faults/restarts.ts";
import { maxLeftRows, shortLivedTables, soak } from "./faults/soak.ts";

const slow = { timeout: 600_000 };

test("temporary data is removed within a hundred days, and nothing else is lost", slow, async () => {
  const { answers, later, figures } = await soak({ people: 8, days: 1, lastsMs: 8_000, pauseMs: 200 }, "sqlite");
  expect([answers.refused, answers.cut]).toEqual([0, 0]);
  for (const table of shortLivedTables) expect([table, later[table] <= maxLeftRows]).toEqual([table, true]);
  // The others need a longer run to differ from chance.
  expect(figures.filter(({ name, flat }) => /timers|faults/.test(name) && !flat)).toEqual([]);
});

test("restarting two processes in turn fails no request and loses no message", slow, async () => {
  const { answers } = await restartUnderLoad({ restarts: 2, people: 8, everyMs: 1_500, pauseMs: 100 }, "postgres");
  expect([answers.refused, answers.cut, ...answers.failed]).toEqual([0, 0]);
});
