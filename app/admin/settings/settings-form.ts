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
  "staffSecondStep",
] as const satisfies (keyof Settings)[];

const texts = [
  "siteName",
  "siteDescription",
  "securityContact",
  "landingFigures",
  "landingIntro",
  "landingCommunity",
  "maxPostsPerUser",
  "maxFileSize",
  "allowedFileTypes",
  "storagePerMember",
  "maintenanceMessage",
] as const satisfies (keyof Settings)[];

/** The settings as the form's fields hold them. */
export type TypedSettings = Record<(typeof switches)[number], boolean> & Record<(typeof texts)[number], string>;

/** `staffSecondStep`: whether it is asked for at the moment, also where nobody has decided. */
export function typedSettings(settings: Settings, staffSecondStep: boolean): TypedSettings {
  const { allowedFileTypes, ...rest } = settings;
  const numbers = {
    maxPostsPerUser: String(settings.maxPostsPerUser),
    maxFileSize: String(settings.maxFileSize),
    storagePerMember: String(settings.storagePerMember),
  };
  return { ...rest, ...numbers, staffSecondStep, allowedFileTypes: allowedFileTypes.join(",") };
}

export function readTyped(form: FormData): TypedSettings {
  const on = switches.map((name) => [name, form.get(name) === "on"]);
  const typed = texts.map((name) => [name, String(form.get(name) ?? "").replaceAll("\r\n", "\n")]);
  return Object.fromEntries([...on, ...typed]) as TypedSettings;
}

/**
 * What the administrator changed on the page as it was shown to them: what someone else has saved meanwhile stays.
 * Without a readable `shown` everything counts as changed.
 */
export function changesOf(typed: TypedSettings, before: Partial<TypedSettings> | null): Partial<TypedSettings> {
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => before?.[name as keyof TypedSettings] !== value));
}

export function readShown(shown: FormDataEntryValue | null): Partial<TypedSettings> | null {
  try {
    return JSON.parse(String(shown)) as Partial<TypedSettings> | null;
  } catch {
    return null;
  }
}
