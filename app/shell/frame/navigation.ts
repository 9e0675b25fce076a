import type { RootData, ViewerSummary } from "#app/shell/root-data.ts";

export type SiteLink = { to: string; label: string };

/** The site's main pages for this person, as header and menu show them (specification §2, Header). */
export function mainLinks(viewer: ViewerSummary | null): SiteLink[] {
  const home = { to: "/", label: "Home" };
  if (!viewer) return [home];
  return [home, { to: "/all-posts", label: "All Posts" }, { to: "/add-post", label: "Add Post" }];
}

export const messagesLink = { to: "/messages", label: "Messages" };
export const profileLink = { to: "/profile", label: "Profile" };
export const adminLink = { to: "/admin", label: "Admin Panel" };
export const loginLink = { to: "/login", label: "Login" };
export const signupLink = { to: "/signup", label: "Signup" };

/** Also who has to set up a second step first, as the admin area leads there. */
export function isOnStaff(viewer: ViewerSummary | null): boolean {
  return viewer !== null && (viewer.staff !== null || viewer.awaitsSecondStep);
}

export function sheetLinks(viewer: ViewerSummary | null, { features, registrationOpen }: RootData["site"]): SiteLink[] {
  if (!viewer) return [...mainLinks(null), loginLink, ...(registrationOpen ? [signupLink] : [])];
  return [...mainLinks(viewer), ...(features.messages ? [messagesLink] : []), profileLink, ...(isOnStaff(viewer) ? [adminLink] : [])];
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
