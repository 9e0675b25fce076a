import { nameMaxLength, normalizeName } from "../names.ts";

/** Limits (in characters) and texts of profiles; browser-safe (specification §5, Edit profile). */
export const profileLimits = { userName: nameMaxLength, bio: 1000, location: 100, website: 300, twitter: 100, github: 200, linkedIn: 200 };

export const profileTextFields = ["bio", "location", "website", "twitter", "github", "linkedIn"] as const;
export type ProfileTexts = Record<(typeof profileTextFields)[number], string>;
export const emptyProfileTexts: ProfileTexts = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };

export const profileTexts = {
  nameRequired: "Display name is required",
  tooLong: (max: number) => `This cannot exceed ${max} characters`,
  websiteInvalid: "Please enter a valid website address",
  unsaved: "You have unsaved changes",
  notLoaded: "Failed to load profile data",
  noAccount: "User information not available",
  pictureFailed: "Failed to upload image. Other changes will still be saved.",
  changedMeanwhile: "it was changed elsewhere meanwhile",
  failed: (reason = "Unknown error") => `Failed to update profile: ${reason}`,
  updated: "Profile updated successfully!",
};

/** Trims, and removes control characters except line breaks. */
export function cleanText(text: string): string {
  return normalizeName(text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n]|\p{Cs}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ""));
}

type FieldTexts = { [Name in keyof typeof profileLimits]?: string | undefined };

/** The fields of a form whose text isn't the one that it showed at first. Without that, all. */
export function changedFields(shown: FieldTexts, typed: FieldTexts): (keyof typeof profileLimits)[] {
  const names = Object.keys(profileLimits) as (keyof typeof profileLimits)[];
  const clean = (text: string | undefined) => text && cleanText(text);
  return names.filter((name) => typed[name] !== undefined && clean(typed[name]) !== clean(shown[name]));
}

/** Empty, or a web address with or without `https://`. */
export function isWebsite(text: string): boolean {
  const url = URL.parse(/^http/i.test(text) ? text : `https://${text}`);
  return text === "" || /^https?:$/.test(url?.protocol ?? "");
}
