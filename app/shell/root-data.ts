import { useRouteLoaderData } from "react-router";
import type { ThemeChoice } from "#app/shell/theme/theme.ts";
import { type Feature, featuresOf } from "#domain/settings/features.ts";
import { defaultSettings, type Settings } from "#domain/settings/settings.ts";
import type { StaffRole } from "#domain/site.ts";
import type { Closed } from "./closed.ts";
import type { Toast } from "./flash.ts";

/** What every screen may know: loaded once by the root, read with `useRoot()`. */
export type RootData = {
  site: {
    name: string;
    description: string;
    url: string;
    registrationOpen: boolean;
    /** What is switched on. */
    features: Record<Feature, boolean>;
    /** Visitors may list all stories. */
    listingPublic: boolean;
    /** Of a profile picture, in megabytes. */
    maxFileSize: number;
  };
  /** Shown instead of any page. */
  closed: Closed | null;
  viewer: ViewerSummary | null;
  /** How many messages wait, and where the log of events stood just before they were counted. */
  messages: { unread: number; cursor: string };
  theme: ThemeChoice;
  /** Brought along by a redirect; the id tells one from the next. */
  toasts: Toast[];
  /** The one shared search term, `?q=`. */
  search: string;
  /** When the server answered, in milliseconds: relative times count from here, so that browser and server agree. */
  now: number;
};

export type ViewerSummary = {
  id: string;
  name: string;
  email: string;
  staff: StaffRole | null;
  /** They will be on the staff once they have set up a second step. */
  awaitsSecondStep: boolean;
  confirmed: boolean;
  /** In milliseconds. */
  suspendedUntil: number | null;
  profileImage: string | null;
};

/** What screens may know of the settings. */
export function siteData(settings: Settings, url: string): RootData["site"] {
  return {
    name: settings.siteName,
    description: settings.siteDescription,
    url,
    registrationOpen: settings.allowRegistration,
    features: featuresOf(settings),
    listingPublic: settings.publicStoryListing,
    maxFileSize: settings.maxFileSize,
  };
}

/** Stands in when the root itself could not be loaded: enough for the error page. */
const nothingKnown: RootData = {
  site: siteData(defaultSettings, ""),
  closed: null,
  viewer: null,
  messages: { unread: 0, cursor: "" },
  theme: "system",
  toasts: [],
  search: "",
  now: 0,
};

export function useRoot(): RootData {
  return useRouteLoaderData<RootData>("root") ?? nothingKnown;
}
