import "#platform/private-files.ts";
import { join } from "node:path";
import { ConfigError, readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { runAdminCommand } from "./admin-commands.ts";

/** `npm run admin`: grants and revokes staff rights; works while the site runs. */
try {
  const config = readConfig(process.env);
  const site = await openSite(config, createLog("silent"), { mayUpgrade: false });
  const { text, code } = await runAdminCommand(site, join(config.dataDir, "mail"), process.argv.slice(2));
  await closeSite(site);
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
