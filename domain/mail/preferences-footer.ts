import type { Site } from "#domain/site.ts";

/** The end of an email that its reader may choose not to get; `stop` is a link that ends such emails. */
export function preferencesFooter({ url, settings: { siteName } }: Pick<Site, "url" | "settings">, stop: string): string {
  return `
The ${siteName} team

Choose which emails you get: ${url}/notifications/settings

Stop these emails: ${stop}
`;
}
