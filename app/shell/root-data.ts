import { useRouteLoaderData } from "react-router";
import { defaultSettings } from "#domain/settings.ts";
import type { Toast } from "./flash.ts";
import type { ThemeChoice } from "./theme.ts";

/** What every screen may know: loaded once by the root, read with `useRoot()`. */
export type RootData = {
  site: { name: string; description: string; url: string; registrationOpen: boolean };
  viewer: ViewerSummary | null;
  theme: ThemeChoice;
  /** Brought along by a redirect; the id tells one from the next. */
  toast: (Toast & { id: string }) | null;
  /** The one shared search term, `?q=`. */
  search: string;
  /** When the server answered, in milliseconds: relative times count from here, so that browser and server agree. */
  now: number;
};

export type ViewerSummary = {
  id: string;
  name: string;
  email: string;
  admin: boolean;
  confirmed: boolean;
  profileImage: string | null;
};

const { siteName: name, siteDescription: description } = defaultSettings;

/** Stands in when the root itself could not be loaded: enough for the error page. */
const nothingKnown: RootData = {
  site: { name, description, url: "", registrationOpen: true },
  viewer: null,
  theme: "system",
  toast: null,
  search: "",
  now: 0,
};

export function useRoot(): RootData {
  return useRouteLoaderData<RootData>("root") ?? nothingKnown;
}
