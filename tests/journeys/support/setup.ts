import { rmSync } from "node:fs";
import { startMailServer } from "./mail-server.ts";
import { dropJourneysDatabases, journeys } from "./servers.ts";

/** Runs a mail server for all journeys, and removes their data at the end. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { smtpPort, folder } = journeys();
  const close = await startMailServer(smtpPort, folder);
  return async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
    await dropJourneysDatabases();
  };
}
