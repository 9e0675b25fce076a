import { useLocation, useNavigation } from "react-router";
import type { RootData, ViewerSummary } from "#app/shell/root-data.ts";

export type SiteLink = { to: string; label: string };

type Navigation = { viewer: ViewerSummary | null; search: string; site: { listingPublic: boolean } };
type Sheet = { viewer: ViewerSummary | null; search: string; site: RootData["site"]; next: string };

/** The site's main pages for this person, as header and menu show them (specification §2, Header). A search goes along. */
export function mainLinks({ viewer, search, site }: Navigation): SiteLink[] {
  const query = search ? `?${new URLSearchParams({ q: search })}` : "";
  const home = { to: `/${query}`, label: "Home" };
  const all = { to: allPostsAddress(search), label: "All Posts" };
  if (!viewer) return site.listingPublic ? [home, all] : [home];
  return [home, all, { to: "/add-post", label: "Add Post" }];
}

/** A search goes along. */
export function allPostsAddress(search: string): string {
  return search ? `/all-posts?${new URLSearchParams({ q: search })}` : "/all-posts";
}

/** Which list of stories a search narrows: that of the screen, or all that this person may list. */
export function searchedPath(pathname: string, mayListAll: boolean): string {
  if (pathname === "/" || !mayListAll) return "/";
  return "/all-posts";
}

/** Whether `pathname` is the page that a link leads to, or, unless it has to be that page itself, one below it. */
export function isWithin(to: string, pathname: string, exactly = false): boolean {
  const page = to.replace(/[?#].*/, "");
  return pathname === page || (!exactly && pathname.startsWith(`${page}/`));
}

/** Whether a link leads to this page, or to the one that was asked for and is on its way. */
export function useLinkState(to: string, exactly: boolean): { current: boolean; isNext: boolean } {
  const location = useLocation();
  const next = useNavigation().location;
  const current = isWithin(to, location.pathname, exactly);
  return { current, isNext: !current && next !== undefined && isWithin(to, next.pathname, exactly) };
}

export const notificationsLink = { to: "/notifications", label: "Notifications" };
export const messagesLink = { to: "/messages", label: "Messages" };
export const profileLink = { to: "/profile", label: "Profile" };
export const adminLink = { to: "/admin", label: "Admin Panel" };
export const loginLink = { to: "/login", label: "Login" };
export const signupLink = { to: "/signup", label: "Signup" };

/** Also who has to set up a second step first, as the admin area leads there. */
export function isOnStaff(viewer: ViewerSummary | null): boolean {
  return viewer !== null && (viewer.staff !== null || viewer.awaitsSecondStep);
}

export function sheetLinks(known: Sheet): SiteLink[] {
  const { viewer, next, site } = known;
  if (!viewer) return [...mainLinks(known), ...visitorLinks(next, site.registrationOpen)];
  const messages = site.features.messages ? [messagesLink] : [];
  return [...mainLinks(known), notificationsLink, ...messages, profileLink, ...(isOnStaff(viewer) ? [adminLink] : [])];
}

const readOn = /^\/(?:post|profile|all-posts|featured-writers)(?:[/?]|$)/;

/** To the account screens, and from there on to where the visitor reads. */
export function visitorLinks(next: string, registrationOpen: boolean): SiteLink[] {
  const query = readOn.test(next) ? `?then=${encodeURIComponent(next)}` : "";
  return (registrationOpen ? [loginLink, signupLink] : [loginLink]).map(({ to, label }) => ({ to: to + query, label }));
}

/** The footer's columns, to the letter of the specification. */
export const footerLinks: { title: string; links: SiteLink[] }[] = [
  {
    title: "Explore",
    links: [
      { to: "/", label: "Home" },
      { to: "/all-posts", label: "All Stories" },
      { to: "/add-post", label: "Write Story" },
      { to: "/messages", label: "Messages" },
      { to: "/profile", label: "Profile" },
    ],
  },
  {
    title: "Community",
    links: [
      { to: "/featured-writers", label: "Featured Writers" },
      { to: "/writing-guidelines", label: "Writing Guidelines" },
      { to: "/community-rules", label: "Community Rules" },
      { to: "/events", label: "Events and Contests" },
      { to: "/community-chat", label: "Community Chat" },
    ],
  },
  {
    title: "Support",
    links: [
      { to: "/help", label: "Help Center" },
      { to: "/contact", label: "Contact Us" },
      { to: "/privacy", label: "Privacy Policy" },
      { to: "/terms", label: "Terms of Service" },
      { to: "/cookies", label: "Cookie Policy" },
    ],
  },
];
