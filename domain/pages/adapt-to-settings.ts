import type { Settings } from "../settings/settings.ts";
import type { PageWords } from "./page-text.ts";

export type SiteFeatures = { settings: Pick<Settings, "enableMessages" | "requireEmailVerification">; mail: { delivers: boolean } };

type Change = [from: string, to: string];

/** Replaces sentences of our pages that don't apply with a site's settings. */
export function adaptToSettings(words: PageWords, { settings, mail }: SiteFeatures): PageWords {
  const changes: Change[] = [
    ...(mail.delivers && settings.requireEmailVerification ? [] : withoutConfirmation),
    ...(mail.delivers ? [] : withoutMail),
    ...(settings.enableMessages ? [] : withoutMessages),
  ];
  const change = (text: string) => changes.reduce((adapted, [from, to]) => adapted.replace(from, () => to), text);
  return { title: words.title, lead: change(words.lead), text: change(words.text) };
}

const withoutConfirmation: Change[] = [
  [
    "## I didn’t get the confirmation email\n\nSign in and choose Send again in the bar at the top of the page. Check your spam folder too. The link expires after a day.\n\n",
    "",
  ],
  ["you need a confirmed email, a title and a picture", "you need a title and a picture"],
  ["You can fix a forgotten password or a missing confirmation email yourself.", "You can choose a new password yourself."],
];

const withoutMail: Change[] = [
  [
    "Request a link to choose a new one. It expires after an hour.",
    "Request a link to choose a new one. This site can’t send email yet: its operator can find the link in the data folder and pass it on. It expires after an hour.",
  ],
  ["You can choose a new password yourself.", "The Help Center says what to do about a forgotten password."],
];

const withoutMessages: Change[] = [
  [" Members message each other directly.", " You can follow members to hear about their next story."],
  [
    "## Message someone\n\nOpen a member’s profile and choose Message. Conversations are between the two of you.",
    "## Follow someone\n\nOpen a member’s profile and choose Follow.",
  ],
  ["Message the author from their profile, or choose Report", "Choose Report"],
];
