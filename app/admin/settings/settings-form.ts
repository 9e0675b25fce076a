import type { Settings } from "#domain/settings/settings.ts";

const toggles = [
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

export type Toggle = (typeof toggles)[number];
/** The values of the form’s fields. */
export type SettingsFormValues = Record<Toggle, boolean> & Record<(typeof texts)[number], string>;

/** `staffSecondStep`: the value in effect, which has a default of its own while the setting is unset. */
export function settingsFormValues(settings: Settings, staffSecondStep: boolean): SettingsFormValues {
  const { allowedFileTypes, ...rest } = settings;
  const numbers = {
    maxPostsPerUser: String(settings.maxPostsPerUser),
    maxFileSize: String(settings.maxFileSize),
    storagePerMember: String(settings.storagePerMember),
  };
  return { ...rest, ...numbers, staffSecondStep, allowedFileTypes: allowedFileTypes.join(",") };
}

export function readValues(form: FormData): SettingsFormValues {
  const on = toggles.map((name) => [name, form.get(name) === "on"]);
  const values = texts.map((name) => [name, String(form.get(name) ?? "").replaceAll("\r\n", "\n")]);
  return Object.fromEntries([...on, ...values]) as SettingsFormValues;
}

/**
 * Only what differs from the page as it was shown, so that changes by others in the meantime stay. Without readable `initialValues`
 * everything counts as changed.
 */
export function changesOf(values: SettingsFormValues, initialValues: Partial<SettingsFormValues> | null): Partial<SettingsFormValues> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => initialValues?.[name as keyof SettingsFormValues] !== value));
}

export function readInitialValues(initialValues: FormDataEntryValue | null): Partial<SettingsFormValues> | null {
  try {
    return JSON.parse(String(initialValues)) as Partial<SettingsFormValues> | null;
  } catch {
    return null;
  }
}
