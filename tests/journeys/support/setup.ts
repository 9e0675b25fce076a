import { rmSync } from "node:fs";
import { startPostOffice } from "./post-office.ts";
import { dropJourneysDatabases, journeys } from "./servers.ts";

/** Around all journeys: a mail server that the sites deliver to, and the end of their data. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { smtpPort, folder } = journeys();
  const close = await startPostOffice(smtpPort, folder);
  return async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
    await dropJourneysDatabases();
  };
}
