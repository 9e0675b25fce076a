import { requirePermission } from "../permissions.ts";
import { NotAllowed } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import type { Settings } from "./settings.ts";

const switches = {
  likes: { setting: "enableLikes", off: "Likes are turned off on this site" },
  bookmarks: { setting: "enableBookmarks", off: "Bookmarks are turned off on this site" },
  messages: { setting: "enableMessages", off: "Messages are turned off on this site" },
} as const;

export type Feature = keyof typeof switches;

/** @throws NotAllowed while the feature is off. */
export function requireFeature({ settings }: Pick<Site, "settings">, feature: Feature): void {
  const { setting, off } = switches[feature];
  if (!settings[setting]) throw new NotAllowed(off);
}

export function featuresOf(settings: Settings): Record<Feature, boolean> {
  return { likes: settings.enableLikes, bookmarks: settings.enableBookmarks, messages: settings.enableMessages };
}

export function requirePostListing(site: Pick<Site, "settings">, viewer: Viewer): void {
  if (!site.settings.publicStoryListing) requirePermission(viewer, "list all stories");
}
