import { sql } from "kysely";
import { countRows } from "#platform/database/count-rows.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { OutboxRow } from "#platform/database/rows/outbox-rows.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { saveSettings } from "../settings/settings.server.ts";
import type { Settings } from "../settings/settings.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { type ComposedIssue, composeIssue, composeTestIssue } from "./compose.server.ts";
import { dueAt, type Issue, type IssueChanged, type IssueStats, type IssueText, issueLimits, issueTexts, nextWeek } from "./issue.ts";
import { pickPosts } from "./picks.server.ts";

export type NextIssue = { issue: Issue; preview: ComposedIssue | null; subscribers: number };

export async function readNextIssue(site: Site, viewer: Viewer): Promise<NextIssue> {
  requirePermission(viewer, "manage emails");
  const [{ week, edited, state, picks }, subscribers] = await Promise.all([
    readNext(site),
    countRows(site.db.selectFrom("subscribers").where("confirmedAt", "is not", null)),
  ]);
  const { settings, url } = site;
  const issue = { week, dueAt: dueAt(week, settings), state, subject: edited.subject ?? "", introduction: edited.introduction ?? "" };
  return { issue, preview: composeIssue({ settings, url, week }, picks, edited), subscribers };
}

async function readNext(site: Site) {
  const week = nextWeek(site.now(), site.settings);
  const [row, picks] = await Promise.all([
    site.db.selectFrom("newsletters").select(["state", "subject", "introduction"]).where("week", "=", week).executeTakeFirst(),
    pickPosts(site),
  ]);
  const { state = "planned" as const, ...edited } = row ?? { subject: null, introduction: null };
  return { week, state, edited, picks };
}

/** @throws Conflict without stories. */
export async function sendTestIssue(site: Site, viewer: Viewer): Promise<void> {
  requirePermission(viewer, "manage emails");
  const { week, edited, picks } = await readNext(site);
  const email = composeTestIssue({ ...site, week }, picks, edited);
  if (!email) throw new Conflict(issueTexts.nothingToSay);
  await transaction(site, async (tx) => {
    await sendEmail(tx, { userId: viewer.id, to: viewer.email, ...email });
    await recordAudit(tx, viewer, { action: "email.tested", subject: `newsletter:${week}` });
  });
}

export async function listIssues(site: Site, viewer: Viewer): Promise<IssueStats[]> {
  requirePermission(viewer, "manage emails");
  const rows = await site.db
    .selectFrom("newsletters as n")
    .select(["n.week", "n.subject", "n.body", "n.recipients", "n.unsubscribed"])
    .select([countEmails("failed", "unknown").as("failed"), countEmails("waiting", "sending").as("open")])
    .where("n.state", "in", ["queueing", "queued"])
    .orderBy("n.week", "desc")
    .limit(12)
    .execute();
  return rows.map(({ week, subject, body, recipients, unsubscribed, failed, open }) => ({
    ...{ week: Number(week), subject: subject ?? composedSubject(body), dueAt: dueAt(Number(week), site.settings) },
    ...{ recipients: Number(recipients), unsubscribed: Number(unsubscribed), failed: Number(failed) },
    sent: Number(recipients) - Number(failed) - Number(open),
  }));
}

/** Empty once the text has been removed. */
function composedSubject(body: string | null): string {
  return body === null ? "" : (JSON.parse(body) as ComposedIssue).subject;
}

function countEmails(...states: OutboxRow["state"][]) {
  return sql<number>`(select count(*) from outbox o where o.newsletter = n.week and o.state in (${sql.join(states)}))`;
}

/** `seen`: the text that was edited. */
type Edit = { week: number } & ((IssueText & { seen?: IssueText | undefined }) | { skip: boolean });

export async function planIssue({ db }: SiteTransaction, week: number): Promise<void> {
  await db
    .insertInto("newsletters")
    .values({ week, state: "planned", subject: null, introduction: null, body: null })
    .onConflict((conflict) => conflict.column("week").doNothing())
    .execute();
}

/** @throws Conflict once it is being sent, or if someone else has changed the text (IssueChanged); Invalid for `subject` or `introduction`. */
export async function editIssue(site: Site, viewer: Viewer, { week, ...edit }: Edit): Promise<void> {
  requirePermission(viewer, "manage emails");
  if (week !== nextWeek(site.now(), site.settings)) throw new Conflict(issueTexts.underWay);
  const changes = "skip" in edit ? { state: edit.skip ? ("skipped" as const) : ("planned" as const) } : checkIssueText(edit);
  await transaction(site, async (tx) => {
    await planIssue(tx, week);
    if ("seen" in edit && edit.seen) await requireUnchanged(tx, week, edit.seen, edit);
    const { numUpdatedRows } = await tx.db
      .updateTable("newsletters")
      .set(changes)
      .where("week", "=", week)
      .where("state", "in", ["planned", "skipped"])
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Conflict(issueTexts.underWay);
    await recordAudit(tx, viewer, { action: "newsletter.changed", subject: `newsletter:${week}`, after: changes });
  });
}

type Schedule = Pick<Settings, "newsletterEnabled" | "newsletterDay" | "newsletterHour">;

/** Another day or hour may move the next issue to another week: its text moves too. @throws Invalid. */
export async function changeSchedule(site: Site, viewer: Viewer, schedule: Schedule): Promise<void> {
  await saveSettings(site, viewer, schedule, {}, (tx, before, after) =>
    moveIssue(tx, nextWeek(tx.now(), before), nextWeek(tx.now(), after)),
  );
}

async function moveIssue({ db }: SiteTransaction, from: number, to: number): Promise<void> {
  if (from === to) return;
  await db
    .updateTable("newsletters")
    .set({ week: to })
    .where("week", "=", from)
    .where("state", "in", ["planned", "skipped"])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("newsletters as other").select("other.week").where("other.week", "=", to))),
    )
    .execute();
}

async function requireUnchanged(tx: SiteTransaction, week: number, seen: IssueText, typed: IssueText): Promise<void> {
  const query = tx.db.selectFrom("newsletters").select(["subject", "introduction"]).where("week", "=", week);
  const row = await forUpdate(tx, query).executeTakeFirstOrThrow();
  const current = { subject: row.subject ?? "", introduction: row.introduction ?? "" };
  const isCurrent = ({ subject, introduction }: IssueText) => subject === current.subject && introduction === current.introduction;
  if (!isCurrent(seen) && !isCurrent(typed))
    throw new Conflict(issueTexts.changed, undefined, { kind: "issue-changed", ...current } satisfies IssueChanged);
}

function checkIssueText({ subject, introduction }: { subject: string; introduction: string }) {
  const line = subject.replaceAll(/\s+/g, " ").trim();
  if (line.length > issueLimits.subject) throw new Invalid(`Subject cannot exceed ${issueLimits.subject} characters`, "subject");
  if (introduction.length > issueLimits.introduction) throw new Invalid("Introduction cannot exceed 2,000 characters", "introduction");
  return { subject: line || null, introduction: introduction.trim() || null };
}
