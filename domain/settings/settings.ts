import { megabyte } from "#platform/bytes.ts";
/** Administrators' settings (messaging and administration §3, §9); browser-safe. */
export type Settings = {
  siteName: string;
  siteDescription: string;
  securityContact: string;
  allowRegistration: boolean;
  /** Only with mail delivery: otherwise no link can be opened. */
  requireEmailVerification: boolean;
  enableLikes: boolean;
  enableBookmarks: boolean;
  enableMessages: boolean;
  emailNotifications: boolean;
  publicStoryListing: boolean;
  landingFigures: LandingFigures;
  /** `{name}` is replaced by the site's name. Empty sentences aren't shown. */
  landingIntro: string;
  landingCommunity: string;
  maxPostsPerUser: number;
  /** Of profile pictures and API uploads, in MiB. */
  maxFileSize: number;
  allowedFileTypes: string[];
  /** Files and unfinished texts together, in MiB. */
  storagePerMember: number;
  maintenanceMode: boolean;
  maintenanceMessage: string;
  /** Hours; 0 for never. */
  backupEvery: number;
  backupsKept: number;
  /** Hours in UTC; day 0 is Monday. */
  newsletterEnabled: boolean;
  newsletterDay: number;
  newsletterHour: number;
  /** Null if undecided: required once a staff member has a second step. */
  staffSecondStep: boolean | null;
};

export type LandingFigures = "showcase" | "live";

export const defaultSettings: Settings = {
  siteName: "Inkstead",
  siteDescription: "A platform for writers and readers",
  securityContact: "",
  allowRegistration: true,
  requireEmailVerification: true,
  enableLikes: true,
  enableBookmarks: true,
  enableMessages: true,
  emailNotifications: true,
  publicStoryListing: false,
  landingFigures: "showcase",
  landingIntro:
    "{name} is where people write down what happened and other people sit with it. Free, published the moment you say so, no approval.",
  landingCommunity: "Open to people from anywhere, whenever they find the time to read and write.",
  maxPostsPerUser: 100,
  maxFileSize: 5,
  allowedFileTypes: ["jpg", "jpeg", "png", "gif", "pdf", "doc", "docx"],
  storagePerMember: 1024,
  maintenanceMode: false,
  maintenanceMessage: "Site is under maintenance. Please check back later.",
  backupEvery: 24,
  backupsKept: 7,
  newsletterEnabled: true,
  newsletterDay: 4,
  newsletterHour: 8,
  staffSecondStep: null,
};

export const settingsTexts = {
  saved: "Settings saved successfully",
  failed: "Failed to save settings",
  changedMeanwhile: "someone else changed them meanwhile",
  secondStepFirst: "Set up an authenticator app or a passkey for yourself first",
};

/** Inclusive. */
export function maxFileBytes({ maxFileSize }: Pick<Settings, "maxFileSize">): number {
  return maxFileSize * megabyte;
}

export function storageQuota({ storagePerMember }: Pick<Settings, "storagePerMember">): number {
  return storagePerMember * megabyte;
}
