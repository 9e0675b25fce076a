import { sendEmail } from "../mail/send-email.server.ts";
import type { SiteTransaction, StaffRole } from "../site.ts";
import { greeting } from "./emails.ts";

const sentences = {
  administrator: "You’re now an administrator: you can change settings, see all members and review reports.",
  moderator: "You’re now a moderator: you can handle reports, hold stories and suspend members.",
  none: "You’re no longer on the staff.",
};

export async function emailRoleChange(
  tx: SiteTransaction,
  { id, name, email, confirmed }: { id: string; name: string; email: string; confirmed: boolean },
  role: StaffRole | null,
): Promise<void> {
  const { siteName } = tx.settings;
  const text = `${greeting({ name, emailVerified: confirmed })},

Your role on ${siteName} has changed. ${sentences[role ?? "none"]}
${role ? `\nOpen the admin area: ${tx.url}/admin\n` : ""}
If you didn’t expect this, contact us: ${tx.url}/contact

The ${siteName} team
`;
  await sendEmail(tx, { kind: "role", userId: id, to: email, subject: `Your role on ${siteName} has changed`, text });
}
