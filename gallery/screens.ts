import type { Page } from "@playwright/test";
import { picture } from "../tests/support/pictures.ts";

export type Viewer = "visitor" | "reader" | "writer" | "administrator";
/** `empty`: a site with one member and one administrator. */
export type SiteKind = "full" | "empty";

export type Ids = { slug: string; postId: string; memberId: string; partnerId: string; reportId: string };

export type Screen = {
  name: string;
  /** As in app/routes.ts. */
  route: string;
  as: Viewer;
  on?: SiteKind;
  /** When it differs from the route’s path. */
  path?: (ids: Ids) => string;
  /** Runs after the load, to reach the state to show. */
  act?: (page: Page) => Promise<void>;
};

const pages = (as: Viewer, named: Record<string, string>): Screen[] => Object.entries(named).map(([name, route]) => ({ name, route, as }));

const waitOptions = { timeout: 10_000 };

/** Follows a link whose data never arrives, or fails. */
const follow = (link: string, outcome: "never" | "failed") => async (page: Page) => {
  await page.route("**/*.data*", (route) => (outcome === "failed" ? route.abort() : undefined));
  await page.locator(`header a[href^="${link}"]`).first().click();
  await page.waitForTimeout(1_000);
};

const publicScreens: Screen[] = [
  ...pages("visitor", {
    Landing: "",
    "Featured writers": "featured-writers",
    Subscribe: "subscribe",
    "Sign up": "signup",
    "Log in": "login",
    "Forgot password": "forgot-password",
    "Not found": "404",
    Menu: "menu",
  }),
  { name: "Story, as a visitor", route: "post/:slug", path: ({ slug }) => `/post/${slug}`, as: "visitor" },
  { name: "Landing, a new site", route: "", as: "visitor", on: "empty" },
  {
    name: "Log in, refused",
    route: "login",
    as: "visitor",
    act: async (page) => {
      await page.getByLabel("Email", { exact: true }).first().fill("nobody@example.com");
      await page.getByLabel("Password", { exact: true }).fill("not the right one");
      await page.getByRole("button", { name: "Sign In", exact: true }).click();
      await page.getByText("Login failed").first().waitFor(waitOptions);
    },
  },
  ...["writing-guidelines", "community-rules", "events", "community-chat", "help", "contact", "privacy", "terms", "cookies"].map(
    (route): Screen => ({ name: `Information: ${route}`, route, as: "visitor" }),
  ),
];

const reading: Screen[] = [
  ...pages("reader", {
    Home: "",
    "All stories": "all-posts",
    "Own profile": "profile",
    Messages: "messages",
    Notifications: "notifications",
  }),
  { name: "Story", route: "post/:slug", path: ({ slug }) => `/post/${slug}`, as: "reader" },
  { name: "All stories as a list", route: "all-posts", path: () => "/all-posts?view=list", as: "reader" },
  { name: "Search", route: "all-posts", path: () => "/all-posts?q=lighthouse", as: "reader" },
  { name: "Search without a match", route: "all-posts", path: () => "/all-posts?q=xyzzyplugh", as: "reader" },
  { name: "Bookmarks", route: "profile", path: () => "/profile?tab=bookmarks", as: "reader" },
  { name: "Another member’s profile", route: "profile/:userId", path: ({ memberId }) => `/profile/${memberId}`, as: "reader" },
  { name: "Chat", route: "messages/:userId", path: ({ partnerId }) => `/messages/${partnerId}`, as: "reader" },
  { name: "Report", route: "report", path: ({ postId }) => `/report?kind=post&id=${postId}`, as: "reader" },
  { name: "Home, a new site", route: "", as: "reader", on: "empty" },
  { name: "All stories, a new site", route: "all-posts", as: "reader", on: "empty" },
  { name: "Own profile, a new site", route: "profile", as: "reader", on: "empty" },
  { name: "Messages, a new site", route: "messages", as: "reader", on: "empty" },
  { name: "Notifications, a new site", route: "notifications", as: "reader", on: "empty" },
  { name: "All stories, loading", route: "", as: "reader", act: follow("/all-posts", "never") },
  { name: "All stories, connection lost", route: "", as: "reader", act: follow("/all-posts", "failed") },
];

const writing: Screen[] = [
  ...pages("writer", {
    "New story": "add-post",
    "Edit profile": "edit-profile",
    Account: "account",
    "Notification settings": "notifications/settings",
  }),
  { name: "Your posts", route: "profile", path: () => "/profile?tab=posts", as: "writer" },
  { name: "Drafts", route: "profile", path: () => "/profile?tab=drafts", as: "writer" },
  { name: "Edit a story", route: "edit-post/:id", path: ({ postId }) => `/edit-post/${postId}`, as: "writer" },
  { name: "History of a story", route: "edit-post/:id/history", path: ({ postId }) => `/edit-post/${postId}/history`, as: "writer" },
  { name: "Delete a story", route: "post/:slug/delete", path: ({ slug }) => `/post/${slug}/delete`, as: "writer" },
  ...pages("writer", {
    "Export everything": "account/export",
    "Delete the account": "account/delete",
    "API keys": "account/keys",
    Authenticator: "account/authenticator",
  }),
  {
    name: "New story, refused",
    route: "add-post",
    as: "writer",
    act: async (page) => {
      const { name, bytes } = await picture();
      await page.getByLabel("Featured image", { exact: true }).setInputFiles({ name, mimeType: "image/jpeg", buffer: Buffer.from(bytes) });
      await page
        .getByRole("button", { name: /Publish/ })
        .filter({ visible: true })
        .first()
        .click();
      await page.getByText("Title is required").first().waitFor(waitOptions);
    },
  },
];

const administration: Screen[] = [
  ...pages("administrator", {
    Dashboard: "admin",
    "Admin: staff": "admin/staff",
    "Admin: posts": "admin/posts",
    "Admin: users": "admin/users",
    "Admin: messages": "admin/messages",
    "Admin: analytics": "admin/analytics",
    "Admin: database": "admin/database",
    "Admin: webhooks": "admin/webhooks",
    "Admin: errors": "admin/errors",
    "Admin: reports": "admin/reports",
    "Admin: rules": "admin/reports/rules",
    "Admin: files": "admin/files",
    "Admin: settings": "admin/settings",
    "Admin: page texts": "admin/settings/pages",
    "Admin: emails": "admin/emails",
    "Admin: newsletter": "admin/emails/newsletter",
    "Admin: audit log": "admin/audit",
  }),
  { name: "Dashboard, 30 days", route: "admin", path: () => "/admin?days=30", as: "administrator" },
  { name: "Admin: a member", route: "admin/users/:id", path: ({ memberId }) => `/admin/users/${memberId}`, as: "administrator" },
  { name: "Admin: a post", route: "admin/posts/:id", path: ({ postId }) => `/admin/posts/${postId}`, as: "administrator" },
  { name: "Admin: a report", route: "admin/reports/:id", path: ({ reportId }) => `/admin/reports/${reportId}`, as: "administrator" },
  {
    name: "Admin: a page’s text",
    route: "admin/settings/pages/:path",
    path: () => "/admin/settings/pages/help",
    as: "administrator",
  },
  { name: "Admin: a webhook", route: "admin/webhooks/:id", path: () => "/admin/webhooks/new", as: "administrator" },
  { name: "Dashboard, a new site", route: "admin", as: "administrator", on: "empty" },
  { name: "Admin: posts, a new site", route: "admin/posts", as: "administrator", on: "empty" },
  { name: "Admin: reports, a new site", route: "admin/reports", as: "administrator", on: "empty" },
];

export const screens: Screen[] = [...publicScreens, ...reading, ...writing, ...administration];

/** Pages that the gallery leaves out, and why. */
export const omitted: Record<string, string> = {
  "login/code": "needs an account with a second step",
  "reset-password": "needs a link from an email",
  "reset-password/review": "needs a password reset",
  "verify-email": "needs a link from an email",
  "account/email": "needs a link from an email",
  "account/not-me": "needs a link from an email",
  "subscribe/confirm": "needs a link from an email",
  "post/:slug/publish": "only without JavaScript",
  "profile/bookmarks/:slug/remove": "only without JavaScript",
  "account/passkeys/:id/remove": "only without JavaScript",
  "drafts/:draftId/discard": "only without JavaScript",
  "drafts/:draftId/preview": "the same screen as a story",
  unsubscribe: "needs a link from an email",
  "drafts/:draftId/history": "the same screen as the history of a story",
  notices: "redirects",
  "notifications/stop": "needs a link from an email",
  "notices/:id": "needs a moderation decision",
  "admin/verify": "needs a session older than fifteen minutes",
  "admin/messages/:messageId": "checked by hand: opening one is audited",
  "admin/files/:id": "checked by hand",
  "admin/reports/:id/messages": "needs a reported message",
  "admin/reports/rules/:id": "checked by hand",
  "admin/*": "only says Page Not Found",
  post: "redirects",
  setup: "needs a site without an administrator; checked by hand",
};

export function pathOf({ route, path }: Screen, ids: Ids): string {
  return path ? path(ids) : `/${route}`;
}
