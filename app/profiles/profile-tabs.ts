const names = ["profile", "posts", "bookmarks", "drafts"] as const;

export type ProfileTabName = (typeof names)[number];

export function profileTab(query: URLSearchParams): ProfileTabName {
  return names.find((name) => name === query.get("tab")) ?? "profile";
}

export function profileTabPath(tab: ProfileTabName): string {
  return tab === "profile" ? "/profile" : `/profile?tab=${tab}`;
}
