import { useLocation, useNavigation } from "react-router";
import type { RootData, ViewerSummary } from "#app/shell/root-data.ts";

export type SiteLink = { to: string; label: string };

type Navigation = { viewer: ViewerSummary | null; search: string; site: { listingPublic: boolean } };
type Sheet = { viewer: ViewerSummary | null; search: string; site: RootData["site"]; next: string };

/** The viewer's links in header and menu (specification §2, Header). They keep the search. */
export function mainLinks({ viewer, search, site }: Navigation): SiteLink[] {
  const query = search ? `?${new URLSearchParams({ q: search })}` : "";
  const home = { to: `/${query}`, label: "Home" };
  const all = { to: allPostsPath(search), label: "All Posts" };
  if (!viewer) return site.listingPublic ? [home, all] : [home];
  return [home, all, { to: "/add-post", label: "Add Post" }];
}

export function allPostsPath(search: string): string {
  return search ? `/all-posts?${new URLSearchParams({ q: search })}` : "/all-posts";
}

/** The list that a search filters: the screen's, or all stories. */
export function searchedPath(pathname: string, mayListAll: boolean): string {
  if (pathname === "/" || !mayListAll) return "/";
  return "/all-posts";
}

/** Whether `pathname` is the link's page or, unless `exactly`, below it. */
export function isWithin(to: string, pathname: string, exactly = false): boolean {
  const page = to.replace(/[?#].*/, "");
  return pathname === page || (!exactly && pathname.startsWith(`${page}/`));
}

/** Whether a link leads to this page, or to the one that is loading. */
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
const loginLink = { to: "/login", label: "Login" };
const signupLink = { to: "/signup", label: "Signup" };

/** Includes staff who must set up a second step: the admin area redirects them there. */
export function isStaff(viewer: ViewerSummary | null): boolean {
  return viewer !== null && (viewer.staff !== null || viewer.awaitsSecondStep);
}

export function sheetLinks(known: Sheet): SiteLink[] {
  const { viewer, next, site } = known;
  if (!viewer) return [...mainLinks(known), ...visitorLinks(next, site.registrationOpen)];
  const messages = site.features.messages ? [messagesLink] : [];
  return [...mainLinks(known), notificationsLink, ...messages, profileLink, ...(isStaff(viewer) ? [adminLink] : [])];
}

const returnable = /^\/(?:post|profile|all-posts|featured-writers)(?:[/?]|$)/;

/** Links to the account screens, which return to the page that the visitor was reading. */
export function visitorLinks(next: string, registrationOpen: boolean): SiteLink[] {
  const query = returnable.test(next) ? `?then=${encodeURIComponent(next)}` : "";
  return (registrationOpen ? [loginLink, signupLink] : [loginLink]).map(({ to, label }) => ({ to: to + query, label }));
}

/** Exactly as specified. */
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
