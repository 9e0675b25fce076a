import { z } from "zod";
import { backupIntervalsHours } from "../backups/backup.ts";
import { fullCount } from "../format.ts";
import { collapseWhitespace } from "../normalize-input.ts";

const wholeNumber = (name: string, most: number) => {
  const message = `${name} must be a whole number from 1 to ${fullCount(most)}`;
  return z.coerce.number(message).int(message).min(1, message).max(most, message);
};

const sentence = (name: string) =>
  z
    .string()
    .transform(collapseWhitespace)
    .pipe(z.string().max(300, `${name} cannot exceed 300 characters`));

/** Megabytes; uploads are limited to 32 MB in total. */
const maxFileSizeLimit = 30;

const extensions = z
  .union([z.string(), z.array(z.string())], "Allowed file types must be a list of extensions")
  .transform((given) => [...new Set((Array.isArray(given) ? given : given.split(",")).map(normalizeExtension).filter(Boolean))])
  .pipe(
    z
      .array(z.string().regex(/^[a-z0-9]{1,10}$/, { error: ({ input }) => `“${input}” is not a file extension` }))
      .min(1, "Allow at least one file type")
      .max(100, "Allow at most 100 file types"),
  );

function normalizeExtension(text: string): string {
  return text.trim().replace(/^\./, "").toLowerCase();
}

/** Printed on a line of its own, so it must not contain line breaks. */
function isContact(text: string): boolean {
  return z.union([z.email(), z.url({ protocol: /^https$/ }).regex(/^https:\/\/[!-~]+$/)]).safeParse(text).success;
}

/** Limits beyond the specification keep the site working (docs/decisions/0007-settings-and-outages.md). */
export const SettingsInput = z.strictObject({
  siteName: z
    .string()
    .transform(collapseWhitespace)
    .pipe(z.string().min(1, "Site name is required").max(60, "Site name cannot exceed 60 characters")),
  siteDescription: z.string().transform(collapseWhitespace).pipe(z.string().max(300, "Site description cannot exceed 300 characters")),
  securityContact: z
    .string()
    .trim()
    .max(300, "Security contact cannot exceed 300 characters")
    .refine((text) => text === "" || isContact(text), "Security contact must be an email address or an https:// address"),
  allowRegistration: z.boolean(),
  /** Only with mail delivery: otherwise no link can be opened. */
  requireEmailVerification: z.boolean(),
  enableLikes: z.boolean(),
  enableBookmarks: z.boolean(),
  enableMessages: z.boolean(),
  emailNotifications: z.boolean(),
  publicStoryListing: z.boolean(),
  landingFigures: z.enum(["showcase", "live"]),
  /** `{name}` is replaced by the site's name. Empty sentences aren't shown. */
  landingIntro: sentence("Introduction"),
  landingCommunity: sentence("About your community"),
  maxPostsPerUser: wholeNumber("Max posts per user", 1_000_000),
  /** The limit for profile pictures and API uploads, in MiB. */
  maxFileSize: wholeNumber("Max file size", maxFileSizeLimit),
  allowedFileTypes: extensions,
  /** Files and unfinished texts together, in MiB. */
  storagePerMember: wholeNumber("Storage per member", 1_000_000),
  maintenanceMode: z.boolean(),
  maintenanceMessage: z
    .string()
    .trim()
    .min(1, "Maintenance message is required")
    .max(1_000, "Maintenance message cannot exceed 1,000 characters"),
  backupEvery: z.coerce
    .number()
    .refine((hours) => (backupIntervalsHours as readonly number[]).includes(hours), "Choose how often backups are made"),
  backupsKept: wholeNumber("Backups to keep", 365),
  newsletterEnabled: z.boolean(),
  /** The weekday in UTC on which the newsletter is sent; 0 is Monday. */
  newsletterDay: z.coerce.number("Choose a day").int("Choose a day").min(0, "Choose a day").max(6, "Choose a day"),
  newsletterHour: z.coerce.number("Choose an hour").int("Choose an hour").min(0, "Choose an hour").max(23, "Choose an hour"),
  /** Null if undecided: required once a staff member has a second step. */
  staffSecondStep: z.boolean().nullable(),
});

export const SettingsChanges = SettingsInput.partial();
export type SettingsChanges = z.input<typeof SettingsChanges>;

export function settingsProblems(given: SettingsChanges): Partial<Record<string, string>> {
  const { error } = SettingsChanges.safeParse(given);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0] ?? ""), message]));
}
