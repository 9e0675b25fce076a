import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Pages of plain words (pages/information.ts). */
const information = ["writing-guidelines", "community-rules", "events", "community-chat", "help", "contact", "privacy", "terms", "cookies"];

/** Every address of the site that is a page or takes a form. */
export default [
  index("pages/index-page.tsx"),

  route("add-post", "posts/add-post-page.tsx"),
  route("add-post/preview", "posts/preview-action.ts"),
  route("post/:slug", "posts/post-page.tsx"),
  route("post/:slug/delete", "posts/delete-post-page.tsx"),
  route("post/:slug/view", "posts/view-action.ts"),

  route("signup", "accounts/signup-page.tsx"),
  route("login", "accounts/login-page.tsx"),
  route("logout", "accounts/logout-action.ts"),
  route("forgot-password", "accounts/forgot-password-page.tsx"),
  route("reset-password", "accounts/reset-password-page.tsx"),
  route("verify-email", "accounts/verify-email-page.tsx"),
  route("verify-email/again", "accounts/verify-again-action.ts"),

  route("all-posts", "posts/all-posts-page.tsx"),
  route("profile", "profiles/own-profile-page.tsx"),
  route("profile/:userId", "profiles/profile-page.tsx"),

  route("featured-writers", "pages/featured-writers-page.tsx"),
  ...information.map((path) => route(path, "pages/information-page.tsx", { id: `information/${path}` })),
  route("subscribe", "newsletter/subscribe-page.tsx"),
  route("subscribe/confirm", "newsletter/confirm-subscription-page.tsx"),

  route("theme", "shell/theme-action.ts"),
  route("404", "shell/not-found-page.tsx", { id: "not-found" }),
  route("*", "shell/not-found-page.tsx"),
] satisfies RouteConfig;
