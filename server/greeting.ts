import type { Server } from "node:http";
import { hasAdministrator } from "#domain/accounts/administrators.server.ts";
import type { Site } from "#domain/site.ts";

export async function greetOperator(site: Site, server: Server): Promise<void> {
  site.log.info({ address: server.address(), url: site.url }, "listening");
  console.log(`\n  ${site.settings.siteName} is running at ${site.url}\n`);
  if (await hasAdministrator(site)) return;
  console.log("  This site has no administrator yet. Sign up, open the link in the confirmation email, then run");
  console.log("    npm run admin -- grant YOUR-ADDRESS");
  const { adminEmails } = site;
  if (adminEmails.length === 0) console.log("  or start with ADMIN_EMAILS=YOUR-ADDRESS.");
  else console.log(`  Or use an address in ADMIN_EMAILS (${adminEmails.join(", ")}): it is one as soon as it is confirmed.`);
  if (!site.mail.delivers) console.log("  Without SMTP_URL, emails are saved as files in the data folder, under mail/.");
  console.log("");
}
