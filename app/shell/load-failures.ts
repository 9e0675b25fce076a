import { listTexts } from "#domain/pages/list-texts.ts";
import { profileTexts } from "#domain/profiles/profile.ts";

export type LoadFailure = {
  text: string | undefined;
  /** Also shown as a toast if the page was not open yet. */
  toast?: boolean;
  /** No toast if the open page can't be reloaded. */
  silent?: boolean;
  /** Redirect target if the page was not open yet. */
  redirectTo?: string;
};

/** The specification's exact texts (§8 of both parts), and our own for pages that it doesn't have. */
const failures: [address: RegExp, failure: LoadFailure][] = [
  [/^\/$/, { text: listTexts.home }],
  [/^\/all-posts$/, { text: listTexts.stories }],
  // “Post detail load: silent redirect to /”
  [/^\/post\/[^/]+$/, { text: undefined, silent: true, redirectTo: "/" }],
  [/^\/profile\?(.*&)?tab=drafts\b/, { text: "Failed to load drafts", toast: true }],
  [/^\/edit-profile$/, { text: profileTexts.notLoaded, toast: true }],
  [/^\/messages(\/|$)/, { text: "The conversation couldn’t be loaded. Please try again.", silent: true }],
  [/^\/admin\/posts\b/, { text: "Failed to load posts" }],
  [/^\/admin\/users\b/, { text: "Failed to load users" }],
  [/^\/admin\/messages\b/, { text: "Failed to load messages" }],
  [/^\/admin\/analytics\b/, { text: "Failed to load analytics" }],
  [/^\/admin\/reports\/rules\b/, { text: "Failed to load rules" }],
  [/^\/admin\/reports\b/, { text: "Failed to load reports" }],
  [/^\/admin\/database\b/, { text: "Failed to load the database page" }],
  [/^\/admin\/settings\/pages\b/, { text: "Failed to load pages" }],
  [/^\/admin\/settings\b/, { text: "Failed to load settings" }],
  [/^\/admin\/audit\b/, { text: "Failed to load the audit log" }],
  [/^\/admin\/files\b/, { text: "Failed to load files" }],
  [/^\/admin\/emails\b/, { text: "Failed to load emails" }],
  [/^\/admin\/webhooks\b/, { text: "Failed to load webhooks" }],
  [/^\/admin\/errors\b/, { text: "Failed to load errors" }],
  [/^\/admin\/staff\b/, { text: "Failed to load the staff list" }],
  [/^\/admin\b/, { text: "Failed to load dashboard data" }],
];

const others: LoadFailure = { text: "This page couldn’t be loaded. Please try again." };

/** How to report that a page can't be loaded or reloaded. */
export function loadFailure(pathname: string, search = ""): LoadFailure {
  const address = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
  return failures.find(([pattern]) => pattern.test(address) || pattern.test(address + search))?.[1] ?? others;
}
