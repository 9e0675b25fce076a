import { type Outcome, outcomeOf, sendResult } from "#app/admin/moderation/send-result.server.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { Reason } from "#domain/moderation/moderation-input.ts";
import { findPostNotice } from "#domain/moderation/notices.server.ts";
import { adjustLikes, setViews } from "#domain/moderation/posts/adjust-counts.server.ts";
import { listHidden } from "#domain/moderation/posts/admin-list.server.ts";
import { moderatePost, moderatePosts } from "#domain/moderation/posts/moderate-many.server.ts";
import { actionsWithReason, invalidOperation, type Moderation, moderations } from "#domain/moderation/posts/moderation.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { bulkResult, type HiddenPost, moderated, moderationToasts } from "./post-moderation.ts";

/** Without JavaScript a bulk action is confirmed on the page. */
export type Unconfirmed = { confirm: { action: string; ids: string[]; hidden: HiddenPost[]; problem?: string; reason?: string } };

export async function moderate(site: Site, viewer: Viewer, request: Request) {
  const form = await readForm(request);
  const ids = form.getAll("ids").map(String);
  const bulk = form.get("bulk");
  if (bulk !== null && ids.length > 0 && form.get("confirmed") !== "yes")
    return { confirm: { action: String(bulk), ids, hidden: await listHidden(site, viewer, ids) } } satisfies Unconfirmed;
  const problem = bulk === null ? undefined : reasonProblem(String(bulk), form);
  if (problem && form.get("scripted") !== "yes")
    return { confirm: { action: String(bulk), ids, hidden: [], problem, reason: reasonIn(form) } } satisfies Unconfirmed;
  return sendResult(form, await runPosted(site, viewer, form, ids), refererPath(request, site.url, "/admin/posts"));
}

type ActionInput = { reason: string; release: string[] };

const reasonIn = (form: FormData) => String(form.get("reason") ?? "");

function reasonProblem(action: string, form: FormData): string | undefined {
  if (!actionsWithReason.includes(action)) return undefined;
  return Reason.safeParse(reasonIn(form)).error?.issues[0]?.message;
}

export async function runPosted(site: Site, viewer: Viewer, form: FormData, ids: string[]): Promise<Outcome> {
  const bulk = form.get("bulk");
  const problem = reasonProblem(String(bulk ?? form.get("do")), form);
  if (problem) return { tone: "error", text: problem, status: 422 };
  const reason = reasonIn(form).trim();
  const options = { reason, release: form.getAll("release").map(String) };
  if (bulk !== null) return runBulk(site, viewer, ids, String(bulk), options);
  const [id = ""] = ids;
  const action = String(form.get("do"));
  const orFailed = withFailureText(site, { action, id });
  if (action === "likes") return orFailed(moderationToasts.likesFailed, () => changeLikes(site, viewer, id, form.get("by")));
  if (action === "views") return orFailed(moderationToasts.viewsFailed, () => changeViews(site, viewer, id, form.get("views")));
  if (!isModeration(action)) return { tone: "error", text: invalidOperation, status: 422 };
  const startedAt = site.now();
  const outcome = await orFailed(moderated[action].failed, async () => {
    await moderatePost(site, viewer, id, action, options);
    return moderated[action].done;
  });
  const hiding = outcome.tone === "success" && actionsWithReason.includes(action) ? await findPostNotice(site, id) : null;
  return hiding && hiding.createdAt >= startedAt ? { ...outcome, undo: { id: hiding.id } } : outcome;
}

function isModeration(action: string): action is Moderation {
  return moderations.includes(action as Moderation);
}

async function runBulk(site: Site, viewer: Viewer, ids: string[], action: string, { reason, release }: ActionInput): Promise<Outcome> {
  if (ids.length === 0) return { tone: "error", text: moderationToasts.nothingSelected, status: 422 };
  const result = await moderatePosts(site, viewer, ids, action, reason, release);
  return { ...bulkResult(action, result), status: result.successful > 0 ? 200 : 422 };
}

async function changeLikes(site: Site, viewer: Viewer, id: string, by: FormDataEntryValue | null): Promise<string> {
  const { previousCount, newCount } = await adjustLikes(site, viewer, id, numberOf(by));
  return moderationToasts.likesAdjusted(previousCount, newCount);
}

async function changeViews(site: Site, viewer: Viewer, id: string, given: FormDataEntryValue | null): Promise<string> {
  const count = numberOf(given);
  await setViews(site, viewer, id, count);
  return moderationToasts.viewsUpdated(count);
}

function numberOf(text: FormDataEntryValue | null): number {
  return /^\s*[-+]?\d+\s*$/.test(String(text)) ? Number(text) : Number.NaN;
}

/** Invalid input and own cases answer with their reason, any other refusal with the specification’s text; the log has the reason. */
function withFailureText({ log }: Site, details: { action: string; id: string }) {
  return (failed: string, work: () => Promise<string>): Promise<Outcome> =>
    outcomeOf(work, ({ code, message, details: why }) => {
      log.warn({ ...details, code, reason: message }, "a story was not moderated");
      return code === "invalid" || why?.kind === "own-case" ? message : failed;
    });
}
