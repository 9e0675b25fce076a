import type { Site, StaffRole } from "../site.ts";
import { greeting } from "./emails.ts";

const sentences = {
  administrator: "You’re now an administrator: you can change settings, see all members and review reports.",
  moderator: "You’re now a moderator: you can handle reports, hold stories and suspend members.",
  none: "You’re no longer on the staff.",
};

/** Tells someone that their role on the staff has changed; null for none. What was done stays done when the email can't be sent. */
export async function tellOfRole(
  site: Site,
  { name, email, confirmed }: { name: string; email: string; confirmed: boolean },
  role: StaffRole | null,
): Promise<void> {
  const { siteName } = site.settings;
  const text = `${greeting({ name, emailVerified: confirmed })},

Your role on ${siteName} has changed. ${sentences[role ?? "none"]}
${role ? `\nOpen the admin area: ${site.url}/admin\n` : ""}
If you didn’t expect this, contact us: ${site.url}/contact

The ${siteName} team
`;
  const mail = { to: email, subject: `Your role on ${siteName} has changed`, text };
  await site.mail.send(mail).catch((err) => site.log.error({ err }, "email about a role not sent"));
}
