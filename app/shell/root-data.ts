import { createContext, useContext } from "react";
import { useRouteLoaderData } from "react-router";
import type { ThemeChoice } from "#app/shell/theme/theme.ts";
import { type Feature, featuresOf } from "#domain/settings/features.ts";
import { defaultSettings, type Settings } from "#domain/settings/settings.ts";
import type { StaffRole } from "#domain/site.ts";
import type { ClosedSite } from "./closed.ts";
import type { Toast } from "./flash.ts";

export type RootData = {
  site: {
    name: string;
    description: string;
    url: string;
    registrationOpen: boolean;
    /** Everybody but the staff is turned away. */
    underMaintenance: boolean;
    features: Record<Feature, boolean>;
    listingPublic: boolean;
    /** One goes out in every week that has something new, and arrives. */
    newsletter: boolean;
    /** Of a profile picture, in megabytes. */
    maxFileSize: number;
  };
  closed: ClosedSite | null;
  viewer: ViewerSummary | null;
  /** Messages and notifications that wait for the viewer, as of `cursor`; `countsStories`: new ones of those they follow are among them. */
  waiting: { unread: number; notifications: number; countsStories: boolean; countedAt: number; cursor: string };
  /** Reports that wait, for the staff. */
  reports: number;
  theme: ThemeChoice;
  toasts: Toast[];
  search: string;
  /** When the server responded, in milliseconds, to ten seconds: relative times count from here, so that browser and server agree. */
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

export function siteData(settings: Settings, url: string, newsletter = settings.newsletterEnabled): RootData["site"] {
  return {
    name: settings.siteName,
    description: settings.siteDescription,
    url,
    registrationOpen: settings.allowRegistration,
    underMaintenance: settings.maintenanceMode,
    features: featuresOf(settings),
    listingPublic: settings.publicStoryListing,
    newsletter,
    maxFileSize: settings.maxFileSize,
  };
}

const nothingKnown: RootData = {
  site: siteData(defaultSettings, ""),
  closed: null,
  viewer: null,
  waiting: { unread: 0, notifications: 0, countsStories: false, countedAt: 0, cursor: "" },
  reports: 0,
  theme: "system",
  toasts: [],
  search: "",
  now: 0,
};

/** Set by the root. */
export const RootContext = createContext<RootData>(nothingKnown);

export function useRoot(): RootData {
  return useContext(RootContext);
}

export function useLoadedRoot(): RootData {
  return useRouteLoaderData<RootData>("root") ?? nothingKnown;
}
