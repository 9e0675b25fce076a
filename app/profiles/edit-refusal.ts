export const profileFields = ["userName", "location", "bio", "website", "twitter", "github", "linkedIn"] as const;
export type ProfileField = (typeof profileFields)[number] | "profileImage";
export type ProfileFormValues = Record<(typeof profileFields)[number], string>;

export type EditRefusal = {
  message: string;
  errors: Partial<Record<ProfileField, string>>;
  /** Null if the form didn't arrive; the browser still has it. */
  values: ProfileFormValues | null;
  signedOut?: true;
  /** What the form showed before it was edited, and the member's id. */
  shown?: Partial<ProfileFormValues & { id: string }> | undefined;
};
