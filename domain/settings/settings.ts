import { megabyte } from "#platform/bytes.ts";
/** What an administrator can set (specification, messaging and administration §3, §9); browser-safe. */
export type Settings = {
  siteName: string;
  siteDescription: string;
  securityContact: string;
  allowRegistration: boolean;
  /** Only where mail is delivered: elsewhere nobody could open the link. */
  requireEmailVerification: boolean;
  enableLikes: boolean;
  enableBookmarks: boolean;
  enableMessages: boolean;
  emailNotifications: boolean;
  publicStoryListing: boolean;
  /** The landing page shows the specified figures, or the site's own. */
  landingFigures: LandingFigures;
  /** Sentences of the landing page; `{name}` in them is the site's name. An empty one isn't shown. */
  landingIntro: string;
  landingCommunity: string;
  maxPostsPerUser: number;
  /** Of profile pictures and of files through the API, in megabytes of 1024 x 1024 bytes. */
  maxFileSize: number;
  allowedFileTypes: string[];
  /** What a member's files and unfinished texts may take together, in megabytes of 1024 x 1024 bytes. */
  storagePerMember: number;
  maintenanceMode: boolean;
  maintenanceMessage: string;
  /** Hours between two scheduled backups; 0 for none. */
  backupEvery: number;
  backupsKept: number;
  /** Hours in UTC; day 0 is Monday. */
  newsletterEnabled: boolean;
  newsletterDay: number;
  newsletterHour: number;
  /** Staff need an authenticator app or a passkey; null until someone decides: once one of them has one. */
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

/** The most that a profile picture may have, in bytes; exactly that is accepted. */
export function maxFileBytes({ maxFileSize }: Pick<Settings, "maxFileSize">): number {
  return maxFileSize * megabyte;
}

/** What a member may keep, in bytes. */
export function storageQuota({ storagePerMember }: Pick<Settings, "storagePerMember">): number {
  return storagePerMember * megabyte;
}
