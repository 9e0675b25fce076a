export const emailFrequencies = ["at-once", "daily", "weekly", "never"] as const;
export type EmailFrequency = (typeof emailFrequencies)[number];

/**
 * Browser-safe (docs/decisions/0038-notifications.md). `email` and `push` are defaults; `always` can't be changed. A new kind needs a row
 * here and a source in `domain/notification-channels/`.
 */
export const notificationKinds = {
  follower: { label: "New followers", email: "at-once", push: true },
  like: { label: "Likes", email: "never", push: true },
  bookmark: { label: "Bookmarks", email: "never", push: false },
  story: { label: "New stories", email: "never", push: true },
  message: { label: "Messages", email: "at-once", push: true },
  decision: { label: "Decisions", email: "always", push: true },
  answer: { label: "Answers", email: "always", push: true },
} as const satisfies Record<string, { label: string; email: EmailFrequency | "always"; push: boolean }>;

export type NotificationKind = keyof typeof notificationKinds;
export const kindNames = Object.keys(notificationKinds) as NotificationKind[];

export type ConfigurableKind = {
  [Kind in NotificationKind]: (typeof notificationKinds)[Kind]["email"] extends "always" ? never : Kind;
}[NotificationKind];
export const configurableKinds = kindNames.filter((kind): kind is ConfigurableKind => notificationKinds[kind].email !== "always");

export type BundledKind = "follower" | "like" | "bookmark";

export type Preference = { onSite: boolean; email: EmailFrequency; push: boolean };
export type Preferences = Record<ConfigurableKind, Preference>;

export function defaultPreference(kind: ConfigurableKind): Preference {
  const { email, push } = notificationKinds[kind];
  return { onSite: true, email, push };
}

export const digestFrequencies = ["daily", "weekly"] as const;
export type DigestFrequency = (typeof digestFrequencies)[number];

export type UnsubscribeTarget = ConfigurableKind | DigestFrequency;

export function isUnsubscribeTarget(about: string | null): about is UnsubscribeTarget {
  return [...configurableKinds, ...digestFrequencies].some((each) => each === about);
}

export const notificationTexts = {
  saved: "Your notification settings have been saved.",
  zoneWrong: "Choose a time zone from the list",
  quietWrong: "Choose when quiet hours begin and end",
};
