import "#platform/private-files.ts";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeBackup } from "#domain/backups/backups.server.ts";
import { sendBackups } from "#domain/backups/offsite.server.ts";
import { stopRuns } from "#domain/backups/runs.server.ts";
import { fullCount, sizeText } from "#domain/format.ts";
import { isRefusal } from "#domain/refusals.ts";
import { ConfigError, readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { countText, ProgressBar } from "./progress-bar.ts";

/** `npm run backup`: writes database and files to one file, restores and compares it; works while the site runs. */
try {
  requireSite(process.env);
  const site = await openSite(readConfig(process.env), createLog("silent"), { mayUpgrade: false });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, () => stopRuns(site));
  const bar = new ProgressBar(process.stdout);
  try {
    const { path, report } = await makeBackup(site, "console", (phase, done) => bar.show(phase, done, done));
    const rows = Object.values(report.tables).reduce((sum, each) => sum + each, 0);
    bar.line(
      `${countText(Object.keys(report.tables).length, "table")} with ${countText(rows, "row")}, ${countText(report.files.count, "file")} (${sizeText(report.files.bytes)})`,
    );
    if (report.missing.count > 0)
      bar.line(`Already missing, so not included: ${countText(report.missing.count, "file")}, ${report.missing.first.join(", ")}`);
    bar.line(`Test-restored to ${report.testedOn === "sqlite" ? "SQLite" : "PostgreSQL"} and compared: everything matches.`);
    bar.line(path);
    // The backup is already safe on this machine, and the site tries again.
    if (site.storageConfig.offsite)
      await sendBackups(site, { now: true }).then(
        (sent) =>
          bar.line(
            sent.includes(path)
              ? `Sent off-site, encrypted: ${fullCount(sent.length)}.`
              : "The site is sending backups off-site right now. This one follows.",
          ),
        (error) => console.error(`It couldn't be sent off-site: ${error.message}`),
      );
  } finally {
    await closeSite(site);
  }
  process.exit(0);
} catch (error) {
  const expected = error instanceof ConfigError || isRefusal(error);
  console.error(expected ? error.message : `The backup failed: ${(error as Error).message}`);
  process.exit(1);
}

/** Before the configuration is read and the database opened, which create what is missing. @throws ConfigError */
function requireSite({ DATA_DIR, DATABASE_URL }: NodeJS.ProcessEnv): void {
  const dataDir = resolve(DATA_DIR?.trim() || "./data");
  if (DATABASE_URL?.trim() || existsSync(join(dataDir, "inkstead.db"))) return;
  throw new ConfigError(
    `There is no site in DATA_DIR ${dataDir}. Run this with the site's settings; npm run update takes the command for that as --backup.`,
  );
}
