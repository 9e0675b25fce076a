import { createContext, useContext } from "react";
import { useRouteLoaderData } from "react-router";
import type { ThemeChoice } from "#app/shell/theme/theme.ts";
import { type Feature, featuresOf } from "#domain/settings/features.ts";
import { defaultSettings, type Settings } from "#domain/settings/settings.ts";
import type { Member } from "#domain/site.ts";
import type { ClosedSite } from "./closed.ts";
import type { Toast } from "./flash.ts";

export type RootData = {
  site: {
    name: string;
    description: string;
    url: string;
    registrationOpen: boolean;
    /** Only administrators can use the site. */
    underMaintenance: boolean;
    features: Record<Feature, boolean>;
    listingPublic: boolean;
    /** Subscriptions are offered (`isNewsletterOffered`). */
    newsletter: boolean;
    /** Megabytes of a profile picture. */
    maxFileSize: number;
  };
  closed: ClosedSite | null;
  viewer: ViewerSummary | null;
  /** Unread messages and notifications as of `cursor`. `countsPosts`: includes new stories of followed members. */
  counts: { unread: number; notifications: number; countsPosts: boolean; countedAt: number; cursor: string };
  /** Pending reports, for staff. */
  reports: number;
  theme: ThemeChoice;
  toasts: Toast[];
  search: string;
  /** The server's time in milliseconds, rounded down to ten seconds; relative times count from it, so that browser and server agree. */
  now: number;
};

export type ViewerSummary = Pick<
  Member,
  "id" | "name" | "email" | "staff" | "awaitsSecondStep" | "isEmailConfirmed" | "suspendedUntil" | "profileImage"
>;

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

const emptyRoot: RootData = {
  site: siteData(defaultSettings, ""),
  closed: null,
  viewer: null,
  counts: { unread: 0, notifications: 0, countsPosts: false, countedAt: 0, cursor: "" },
  reports: 0,
  theme: "system",
  toasts: [],
  search: "",
  now: 0,
};

/** Set by the root. */
export const RootContext = createContext<RootData>(emptyRoot);

export function useRoot(): RootData {
  return useContext(RootContext);
}

export function useLoadedRoot(): RootData {
  return useRouteLoaderData<RootData>("root") ?? emptyRoot;
}
