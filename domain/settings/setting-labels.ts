import type { Settings } from "./settings.ts";

export const settingLabels: Record<keyof Settings, string> = {
  siteName: "Site name",
  siteDescription: "Site description",
  securityContact: "Security contact",
  allowRegistration: "Allow new registrations",
  requireEmailVerification: "Email verification required",
  enableLikes: "Likes",
  enableBookmarks: "Bookmarks",
  enableMessages: "Messages",
  emailNotifications: "Email notifications",
  publicStoryListing: "Public story listing",
  landingFigures: "Landing figures",
  landingIntro: "Introduction",
  landingCommunity: "About your community",
  maxPostsPerUser: "Max posts per user",
  maxFileSize: "Max file size (MB)",
  allowedFileTypes: "Allowed file types",
  storagePerMember: "Storage per member (MB)",
  maintenanceMode: "Maintenance mode",
  maintenanceMessage: "Maintenance message",
  backupEvery: "Hours between scheduled backups (0: never)",
  backupsKept: "Backups to keep",
  newsletterEnabled: "Weekly newsletter",
  newsletterDay: "Newsletter day (0 is Monday)",
  newsletterHour: "Newsletter hour (UTC)",
  staffSecondStep: "Require two-step verification for staff",
};

export function settingLabel(name: string): string {
  return Object.hasOwn(settingLabels, name) ? settingLabels[name as keyof Settings] : name;
}
