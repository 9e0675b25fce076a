import { fastTempFolder } from "../support/fast-temp-folder.ts";
import { openCluster } from "./cluster.ts";

/**
 * A PostgreSQL for tests: sends its address to the parent process and ends with it. Its data is deleted then and would not survive a power
 * cut.
 */
const settings = [
  ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"],
  ...["io_method=sync", "autovacuum=off", "max_connections=300"],
];
const cluster = openCluster(settings, fastTempFolder());
let isEnding = false;

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await cluster.then((opened) => opened.close()).catch(() => {});
  process.exit(code);
}

process.on("SIGINT", () => {}); // The parent decides.
for (const event of ["SIGTERM", "SIGHUP", "disconnect"]) process.on(event, () => void end(0));
try {
  const { url } = await cluster;
  process.send?.(url);
} catch (error) {
  console.error(error);
  await end(1);
}
