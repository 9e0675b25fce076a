import type { ModerationActionTimes } from "../moderation/moderation-action.ts";

export type AuditEntry = {
  number: number;
  userId: string | null;
  userName: string;
  action: string;
  subject: string;
  /** Truncated address; null for the console and for old entries. */
  network: string | null;
  before: AuditState;
  after: AuditState;
  moderationAction: (ModerationActionTimes & { id: string; batchId: string | null; isOwnCase: boolean }) | null;
  createdAt: number;
};

export type AuditState = Record<string, unknown> | null;

export type AuditPage = { entries: AuditEntry[]; next: string | null };

const labels = {
  "settings.changed": "Changed the settings",
  "page.changed": "Changed a page’s text",
  "administrator.granted": "Added an administrator",
  "administrator.revoked": "Removed an administrator",
  "moderator.granted": "Added a moderator",
  "moderator.revoked": "Removed a moderator",
  "address.confirmed": "Confirmed an email",
  "second-step.removed": "Removed an authenticator app",
  "post.published": "Published a story",
  "post.unpublished": "Unpublished a story",
  "post.edited": "Edited a story",
  "post.featured": "Featured a story",
  "post.unfeatured": "Unfeatured a story",
  "post.pinned": "Pinned a story",
  "post.unpinned": "Unpinned a story",
  "post.held": "Held a story",
  "post.deleted": "Deleted a story",
  "post.erased": "Permanently deleted a story",
  "post.likes-adjusted": "Adjusted likes",
  "post.views-set": "Changed views",
  "report.resolved": "Resolved a report",
  "report.dismissed": "Dismissed a report",
  "report.pending": "Reopened a report",
  "report.answered": "Answered a report",
  "message.viewed": "Opened a private message",
  "message.report-read": "Viewed a reported message in context",
  "messages.listed": "Browsed private messages",
  "messages.searched": "Searched private messages",
  "file.opened": "Opened a private file",
  "files.listed": "Listed members’ files",
  "file.removed": "Removed a file",
  "draft.viewed": "Viewed a draft",
  "drafts.listed": "Listed drafts with their text",
  "version.viewed": "Viewed an earlier version",
  "backup.started": "Started a backup",
  "backup.downloaded": "Downloaded a backup",
  "database.checked": "Checked the database",
  "appeal.resolved": "Granted an appeal",
  "appeal.dismissed": "Refused an appeal",
  "appeal.pending": "Reopened an appeal",
  "appeal.answered": "Answered an appeal",
  "message.deleted": "Deleted a message",
  "user.suspended": "Suspended a member",
  "profile.cleared": "Reset a profile",
  "act.undone": "Undid a decision",
  "email.sent-again": "Sent an email again",
  "email.discarded": "Discarded an email",
  "email.tested": "Sent a test email",
  "error.dismissed": "Dismissed an error",
  "newsletter.changed": "Changed a newsletter",
  "subscribers.imported": "Imported subscribers",
  "subscribers.exported": "Exported subscribers",
  "rule.saved": "Saved a rule",
  "rule.on": "Turned a rule on",
  "rule.off": "Turned a rule off",
  "rule.deleted": "Deleted a rule",
  "webhook.added": "Added a webhook",
  "webhook.saved": "Saved a webhook",
  "webhook.on": "Turned a webhook on",
  "webhook.off": "Turned a webhook off",
  "webhook.secret-renewed": "Created a new webhook secret",
  "webhook.deleted": "Deleted a webhook",
  "webhook.tested": "Sent a test event to a webhook",
  "webhook.sent-again": "Sent an event to a webhook again",
};

export type AuditAction = keyof typeof labels;

export const auditActions = Object.keys(labels);

export function actionLabel(action: string): string {
  return labels[action as AuditAction] ?? action;
}
