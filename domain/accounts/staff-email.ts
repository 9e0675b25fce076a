import type { Site, StaffRole } from "../site.ts";
import { greeting } from "./letters.ts";

const sentences = {
  administrator: "you are an administrator now: you can change settings, see all members and look into what was reported",
  moderator: "you are a moderator now: you can handle reports, hold stories and suspend members",
  none: "you are not on the staff any more",
};

/** Tells somebody that their role on the staff has changed; null for none. What was done stays done when the email can't be sent. */
export async function tellOfRole(
  site: Site,
  { name, email, confirmed }: { name: string; email: string; confirmed: boolean },
  role: StaffRole | null,
): Promise<void> {
  const { siteName } = site.settings;
  const text = `${greeting({ name, emailVerified: confirmed })},

at ${siteName}, ${sentences[role ?? "none"]}.
${role ? `\nYou find it all here: ${site.url}/admin\n` : ""}
If this surprises you, write to whoever runs ${siteName}: ${site.url}/contact
`;
  const mail = { to: email, subject: `Your role at ${siteName} has changed`, text };
  await site.mail.send(mail).catch((err) => site.log.error({ err }, "an email about a role was not sent"));
}
