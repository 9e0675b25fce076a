import { rmSync } from "node:fs";
import { startPostOffice } from "./post-office.ts";

/** Around all journeys: a mail server that the site delivers to, and the data folder's end. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = String(process.env.JOURNEY_FOLDER);
  const close = await startPostOffice(Number(process.env.JOURNEY_SMTP_PORT), folder);
  return async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
}
