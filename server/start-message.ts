import type { Server } from "node:http";
import { makeSetupLink } from "#domain/setup/setup.server.ts";
import type { Site } from "#domain/site.ts";
import { commandLine } from "#platform/config.ts";

export async function printStartMessage(site: Site, server: Server): Promise<void> {
  site.log.info({ address: server.address(), url: site.url }, "listening");
  console.log(`\n  ${site.settings.siteName} is running at ${site.url}\n`);
  const setupLink = await makeSetupLink(site);
  if (!setupLink) return;
  console.log("  This site has no administrator yet. Set it up in the browser:\n");
  console.log(`    ${setupLink}\n`);
  console.log("  The link works for 30 days, until there is an administrator; keep it to yourself. If you have an account already, run");
  console.log(`    ${commandLine("admin", "grant YOUR-ADDRESS")}`);
  const { adminEmails } = site;
  if (adminEmails.length > 0)
    console.log(
      `  Or use an address in ADMIN_EMAILS (${adminEmails.join(", ")}): its account becomes an administrator once the address is confirmed.`,
    );
  if (!site.mail.delivers) console.log("  Without SMTP_URL, emails are saved as files in the data folder, under mail/.");
  console.log("");
}
