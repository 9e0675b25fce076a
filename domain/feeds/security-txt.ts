import { days } from "#platform/time.ts";
import type { Site } from "../site.ts";

/** RFC 9116 recommends less than a year. */
const validForDays = 180;

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
