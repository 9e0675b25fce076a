import { connectAll, type Load, measure } from "../message-load.ts";
import { echoClient, makePairs, siteClient, startEchoServer } from "../message-people.ts";
import type { DemoSite } from "./demo-site.ts";
import { formatCount, type Line } from "./report.ts";

const pairs = 200;
const seconds = 5;
/** More than the server can deliver, to measure its maximum. */
const overloadRate = 6_000;

/** From one member's socket to the other's, each message durable; compared with a bare `ws` server that echoes. */
export async function measureMessages({ url, site }: DemoSite): Promise<Line[]> {
  const echo = await startEchoServer();
  try {
    const people = await makePairs(site, pairs);
    const siteSenders = await connectAll(people.map((person, index) => siteClient(url, person, index)));
    const echoSenders = await connectAll(people.map(() => echoClient(echo.port)));
    const lines: Line[] = [];
    for (const [name, rate] of [
      ["1,000 a second", 1_000],
      ["at the maximum rate", overloadRate],
    ] as const) {
      const echoLoad = await measure(echoSenders, { rate, seconds });
      lines.push(line(`messages, ${name}`, await measure(siteSenders, { rate, seconds }), echoLoad));
    }
    return lines;
  } finally {
    echo.child.kill();
  }
}

function line(name: string, { arrived, p50, p99 }: Load, echo: Load): Line {
  const bare = `${formatCount(echo.arrived)}/s, p99 ${echo.p99.toFixed(1)} ms`;
  return { name, figure: `${formatCount(arrived)}/s`, bare, latency: [p50, p99], values: { "per second": arrived, p99 } };
}
