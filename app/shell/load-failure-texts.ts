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
const failures: [path: RegExp, failure: LoadFailure][] = [
  [/^\/$/, { text: listTexts.home }],
  [/^\/all-posts$/, { text: listTexts.posts }],
  // “Post detail load: silent redirect to /”
  [/^\/post\/[^/]+$/, { text: undefined, silent: true, redirectTo: "/" }],
  [/^\/profile\?(.*&)?tab=drafts\b/, { text: "Failed to load drafts", toast: true }],
  [/^\/edit-profile$/, { text: profileTexts.notLoaded, toast: true }],
  [/^\/messages(\/|$)/, { text: "The conversation couldn’t be loaded. Please try again.", silent: true }],
];

/** What a section shows, by its path below /admin, where that differs from the section's name. */
const adminContents: Record<string, string> = {
  "": "dashboard data",
  "reports/rules": "rules",
  "settings/pages": "pages",
  database: "the database page",
  audit: "the audit log",
  staff: "the staff list",
};

const others: LoadFailure = { text: "This page couldn’t be loaded. Please try again." };

/** How to report that a page can't be loaded or reloaded. */
export function loadFailure(pathname: string, search = ""): LoadFailure {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
  const [isAdmin, section = "", page] = /^\/admin\b\/?(\w*)\/?(\w*)/.exec(path) ?? [];
  if (isAdmin) return { text: `Failed to load ${adminContents[`${section}/${page}`] ?? adminContents[section] ?? section}` };
  return failures.find(([pattern]) => pattern.test(path) || pattern.test(path + search))?.[1] ?? others;
}
