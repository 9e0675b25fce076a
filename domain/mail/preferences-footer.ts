import type { Site } from "#domain/site.ts";

export function preferencesFooter({ url, settings: { siteName } }: Pick<Site, "url" | "settings">, stop: string): string {
  return `
The ${siteName} team

Choose which emails you get: ${url}/notifications/settings

Stop these emails: ${stop}
`;
}
