import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

/** The priority of a process that was started at `given` and lowers its own to 5. */
function priorityFrom(given: number): number {
  const program = `import { lowerPriority } from ${JSON.stringify(new URL("./priority.ts", import.meta.url).href)};
    import { getPriority, setPriority } from "node:os";
    setPriority(${given});
    lowerPriority(5);
    console.log(getPriority());`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }));
}

test("lowers the priority but never raises it", () => {
  const own = getPriority();
  expect(priorityFrom(own)).toBe(Math.max(own, 5));
  expect(priorityFrom(19)).toBe(19);
});
