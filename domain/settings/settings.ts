import type { z } from "zod";
import { megabyte } from "#platform/bytes.ts";
import type { SettingsInput } from "./settings-input.ts";

/** Administrators' settings (messaging and administration §3, §9); browser-safe. */
export type Settings = z.output<typeof SettingsInput>;
export type LandingStatsSource = Settings["landingFigures"];

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

export function maxFileBytes({ maxFileSize }: Pick<Settings, "maxFileSize">): number {
  return maxFileSize * megabyte;
}

export function storageQuota({ storagePerMember }: Pick<Settings, "storagePerMember">): number {
  return storagePerMember * megabyte;
}
