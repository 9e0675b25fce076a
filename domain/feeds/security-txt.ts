import { days } from "#platform/time.ts";
import type { Site } from "../site.ts";

/** Less than a year, which RFC 9116 asks for; counted again each day, because the setting holds until it is changed. */
const validForDays = 180;

/** Where to report faults in security, in the form of RFC 9116; undefined where the settings name nobody. */
export function securityTxt({ settings, url, now }: Pick<Site, "settings" | "url" | "now">): string | undefined {
  const contact = settings.securityContact;
  if (contact === "") return undefined;
  const expires = days(Math.floor(now() / days(1) + validForDays));
  const lines = [
    `Contact: ${contact.startsWith("https://") ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date(expires).toISOString()}`,
    `Canonical: ${url}/.well-known/security.txt`,
    "Preferred-Languages: en",
  ];
  return `${lines.join("\n")}\n`;
}
