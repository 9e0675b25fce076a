import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A process that requests /healthz repeatedly: `node tests/fuzz/prober.ts PORT`. At the same moments it requests an idle server in
 * another process, whose delay is the machine's, not the site's.
 */
export type Probe = {
  /** The longest delay of the site beyond the machine's, in milliseconds. */
  worst: number;
  /** The idle server's slowest response, in milliseconds. */
  machineWorst: number;
  probes: number;
  failures: number;
};

const everyMs = 50;

const [port = "0", control = "0"] = process.argv.slice(2);
if (control === "serve") await serveIdle();
else await probe(Number(port), Number(control));

async function serveIdle(): Promise<void> {
  const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
  process.on("disconnect", () => process.exit());
}

async function probe(site: number, idle: number): Promise<void> {
  let current = emptyProbe();
  process.on("message", () => {
    process.send?.(current);
    current = emptyProbe();
  });
  process.on("disconnect", () => process.exit());
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  for (;;) {
    const due = performance.now() + everyMs;
    const [answered, machine] = await Promise.all([ask(site, "/healthz", agents[0]), ask(idle, "/", agents[1])]);
    if (answered === undefined) current.failures++;
    else {
      current.probes++;
      current.machineWorst = Math.max(current.machineWorst, machine ?? 0);
      current.worst = Math.max(current.worst, answered - (machine ?? 0));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - performance.now())));
  }
}

function emptyProbe(): Probe {
  return { worst: 0, machineWorst: 0, probes: 0, failures: 0 };
}

/** @returns milliseconds, or undefined without a 200. */
function ask(port: number, path: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const begin = performance.now();
    const request = get({ host: "127.0.0.1", port, path, agent, timeout: 120_000 }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200 ? performance.now() - begin : undefined));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(undefined));
  });
}
