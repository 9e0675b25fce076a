export const profileFields = ["userName", "location", "bio", "website", "twitter", "github", "linkedIn"] as const;
export type ProfileField = (typeof profileFields)[number] | "profileImage";
export type TypedProfile = Record<(typeof profileFields)[number], string>;

/** Why a profile was not saved, and what was typed, for a form without JavaScript to show again. */
export type EditRefusal = {
  message: string;
  errors: Partial<Record<ProfileField, string>>;
  /** Null when it never arrived; the browser has it still. */
  typed: TypedProfile | null;
};
