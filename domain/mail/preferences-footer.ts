import type { Site } from "#domain/site.ts";

export function preferencesFooter({ url, settings: { siteName } }: Pick<Site, "url" | "settings">, unsubscribeUrl: string): string {
  return `
The ${siteName} team

Choose which emails you get: ${url}/notifications/settings

Stop these emails: ${unsubscribeUrl}
`;
}
