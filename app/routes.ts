import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Pages of plain words (pages/information.ts). */
const information = ["writing-guidelines", "community-rules", "events", "community-chat", "help", "contact", "privacy", "terms", "cookies"];

/** Every address of the site that is a page or takes a form. */
export default [
  index("pages/index-page.tsx"),
  route("home/figures", "pages/home-figures-route.ts"),

  route("add-post", "posts/add-post-page.tsx"),
  route("add-post/preview", "posts/preview-action.ts"),
  route("post", "posts/no-slug.ts"),
  route("post/:slug", "posts/post-page.tsx"),
  route("post/:slug/delete", "posts/delete-post-page.tsx"),
  route("post/:slug/react", "reactions/react-action.ts"),
  route("post/:slug/view", "posts/view-action.ts"),
  route("post/:slug/publish", "posts/publish-post-page.tsx"),
  route("edit-post/:id", "posts/edit-post-page.tsx"),
  route("edit-post/:id/history", "drafts/story-history-page.tsx"),
  route("drafts/save", "drafts/save-action.ts"),
  route("drafts/picture", "drafts/picture-action.ts"),
  route("drafts/:draftId/discard", "drafts/discard-draft-page.tsx"),
  route("drafts/:draftId/history", "drafts/draft-history-page.tsx"),

  route("search/suggestions", "search/suggestions.ts"),
  route("report", "reports/report-page.tsx"),

  route("signup", "accounts/signup-page.tsx"),
  route("login", "accounts/login-page.tsx"),
  route("login/code", "accounts/second-step-page.tsx"),
  route("login/passkey", "accounts/passkey-sign-in-action.ts"),
  route("login/passkey/start", "accounts/passkey-login-action.ts"),
  route("logout", "accounts/logout-action.ts"),
  route("forgot-password", "accounts/forgot-password-page.tsx"),
  route("reset-password", "accounts/reset-password-page.tsx"),
  route("verify-email", "accounts/verify-email-page.tsx"),
  route("verify-email/again", "accounts/verify-again-action.ts"),

  route("account", "accounts/account-page.tsx"),
  route("account/email", "accounts/email-change-page.tsx"),
  route("account/devices", "accounts/devices-action.ts"),
  route("account/passkeys/:step", "accounts/passkeys-action.ts"),
  route("account/export", "export/export-page.tsx"),
  route("account/export/everything.zip", "export/export-resource.ts"),
  route("account/delete", "accounts/delete-account-page.tsx"),
  route("account/authenticator", "accounts/authenticator-page.tsx"),

  route("all-posts", "posts/all-posts-page.tsx"),
  route("profile", "profiles/own-profile-page.tsx"),
  route("edit-profile", "profiles/edit-profile-page.tsx"),
  route("profile/bookmarks/:slug/remove", "profiles/remove-bookmark-page.tsx"),
  route("profile/:userId", "profiles/profile-page.tsx"),
  route("profile/:userId/follow", "follows/follow-action.ts"),
  route("following/ids", "follows/followed-ids-resource.ts"),

  route("messages", "messages/messages-page.tsx", [index("messages/no-chat-page.tsx"), route(":userId", "messages/chat-page.tsx")]),
  route("messages/conversations", "messages/conversations-loader.ts"),
  route("messages/unread", "messages/unread-loader.ts"),
  route("messages/:userId/history", "messages/history-loader.ts"),
  route("messages/:userId/send", "messages/send-action.ts"),
  route("messages/:userId/attach", "messages/attach-action.ts"),
  route("messages/:userId/change", "messages/change-action.ts"),

  route("notices", "notices/notices-page.tsx"),
  route("notices/:id", "notices/notice-page.tsx"),

  route("featured-writers", "pages/featured-writers-page.tsx"),
  ...information.map((path) => route(path, "pages/information-page.tsx", { id: `information/${path}` })),
  route("subscribe", "newsletter/subscribe-page.tsx"),
  route("subscribe/confirm", "newsletter/confirm-subscription-page.tsx"),

  route("admin", "admin/admin-layout.tsx", [
    index("admin/dashboard-page.tsx"),
    route("posts", "admin/posts-page.tsx"),
    route("posts/:id", "admin/post-page.tsx"),
    route("users", "admin/users-page.tsx"),
    route("messages", "admin/messages-page.tsx"),
    route("messages/:messageId", "admin/message-page.tsx"),
    route("analytics", "admin/analytics-page.tsx"),
    route("analytics/export/:format", "admin/analytics-export.ts"),
    route("database", "admin/database-page.tsx"),
    route("database/backups/:backupId", "admin/backup-download.ts"),
    route("users/:id", "admin/member-page.tsx"),
    route("reports", "admin/reports-page.tsx"),
    route("reports/:id", "admin/report-page.tsx"),
    route("reports/rules", "admin/rules-page.tsx"),
    route("reports/rules/:id", "admin/rule-page.tsx"),
    route("undo", "admin/undo-action.ts"),
    route("settings", "admin/settings-page.tsx"),
    route("audit", "admin/audit-page.tsx"),
    route("audit/export", "admin/audit-export.ts"),
  ]),

  route("theme", "shell/theme-action.ts"),
  route("404", "shell/not-found-page.tsx", { id: "not-found" }),
  route("*", "shell/not-found-page.tsx"),
] satisfies RouteConfig;
