import type { Settings } from "#domain/settings/settings.ts";

const switches = [
  "allowRegistration",
  "requireEmailVerification",
  "enableLikes",
  "enableBookmarks",
  "enableMessages",
  "emailNotifications",
  "publicStoryListing",
  "maintenanceMode",
] as const satisfies (keyof Settings)[];

const texts = [
  "siteName",
  "siteDescription",
  "landingFigures",
  "maxPostsPerUser",
  "maxFileSize",
  "allowedFileTypes",
  "maintenanceMessage",
] as const satisfies (keyof Settings)[];

/** The settings as the form's fields hold them. */
export type TypedSettings = Record<(typeof switches)[number], boolean> & Record<(typeof texts)[number], string>;

export function typedSettings(settings: Settings): TypedSettings {
  const { allowedFileTypes, ...rest } = settings;
  const numbers = { maxPostsPerUser: String(settings.maxPostsPerUser), maxFileSize: String(settings.maxFileSize) };
  return { ...rest, ...numbers, allowedFileTypes: allowedFileTypes.join(",") };
}

/** A switch that is off sends nothing. */
export function readTyped(form: FormData): TypedSettings {
  const on = switches.map((name) => [name, form.get(name) === "on"]);
  const typed = texts.map((name) => [name, String(form.get(name) ?? "").replaceAll("\r\n", "\n")]);
  return Object.fromEntries([...on, ...typed]) as TypedSettings;
}

/**
 * What the administrator changed on the page as it was shown to them: what somebody else has saved meanwhile stays.
 * Without a readable `shown` everything counts as changed.
 */
export function changesOf(typed: TypedSettings, shown: FormDataEntryValue | null): Partial<TypedSettings> {
  const before = readShown(shown);
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => before?.[name as keyof TypedSettings] !== value));
}

function readShown(shown: FormDataEntryValue | null): Partial<TypedSettings> | null {
  try {
    return JSON.parse(String(shown)) as Partial<TypedSettings> | null;
  } catch {
    return null;
  }
}
