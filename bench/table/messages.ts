import { connectAll, type Load, measure } from "../message-load.ts";
import { echoClient, makePairs, siteClient, startEchoServer } from "../message-people.ts";
import type { DemoSite } from "./demo-site.ts";
import { residentMegabytes } from "./rates.ts";
import { formatCount, type Line } from "./report.ts";

export type MessageOptions = { seconds: number; pairs: number; rates: number[] };

/** From one member's socket to the other's, each message durable; compared with a bare `ws` server that echoes. */
export async function measureMessages({ url, pid, site }: DemoSite, { seconds, pairs, rates }: MessageOptions): Promise<Line[]> {
  const echo = await startEchoServer();
  try {
    const people = await makePairs(site, pairs);
    const [before, echoBefore] = [residentMegabytes(pid), residentMegabytes(echo.pid)];
    const siteSenders = await connectAll(people.map((person, index) => siteClient(url, person, index)));
    const echoSenders = await connectAll(people.map(() => echoClient(echo.port)));
    const idle = (megabytes: number) => `${((megabytes * 1024) / people.length).toFixed(1)} KB`;
    const sockets = {
      name: "idle socket",
      figure: idle(residentMegabytes(pid) - before),
      bare: idle(residentMegabytes(echo.pid) - echoBefore),
    };
    const lines: Line[] = [sockets];
    for (const rate of rates) {
      const echoLoad = await measure(echoSenders, { rate, seconds });
      lines.push(line(rate, await measure(siteSenders, { rate, seconds }), echoLoad));
    }
    return lines;
  } finally {
    echo.child.kill();
  }
}

function line(rate: number, { arrived, p50, p99 }: Load, echo: Load): Line {
  const bare = `${formatCount(echo.arrived)}/s, p50 ${echo.p50.toFixed(1)} ms, p99 ${echo.p99.toFixed(1)} ms`;
  const name = `messages, ${formatCount(rate)} a second`;
  return { name, figure: `${formatCount(arrived)}/s`, bare, latency: [p50, p99], values: { "per second": arrived, p99 } };
}
