import { connectAll, type Load, measure } from "../message-load.ts";
import { bareClient, makePairs, ourClient, startEcho } from "../message-people.ts";
import type { DemoSite } from "./demo-site.ts";
import { type Line, whole } from "./report.ts";

const pairs = 200;
const seconds = 5;
/** More than arrive: what does is the most that goes. */
const tooMany = 6_000;

/** From one person's socket to the other's, each message safe on the disk; beside it a bare `ws` server that echoes. */
export async function measureMessages({ url, site }: DemoSite): Promise<Line[]> {
  const echo = await startEcho();
  try {
    const people = await makePairs(site, pairs);
    const ours = await connectAll(people.map((person, index) => ourClient(url, person, index)));
    const bare = await connectAll(people.map(() => bareClient(echo.port)));
    const lines: Line[] = [];
    for (const [name, rate] of [
      ["1,000 a second", 1_000],
      ["as many as go", tooMany],
    ] as const) {
      const theirs = await measure(bare, { rate, seconds });
      lines.push(line(`messages, ${name}`, await measure(ours, { rate, seconds }), theirs));
    }
    return lines;
  } finally {
    echo.child.kill();
  }
}

function line(name: string, { arrived, p50, p99 }: Load, bare: Load): Line {
  const theirs = `${whole(bare.arrived)}/s, p99 ${bare.p99.toFixed(1)} ms`;
  return { name, figure: `${whole(arrived)}/s`, bare: theirs, late: [p50, p99], values: { "a second": arrived, p99 } };
}
