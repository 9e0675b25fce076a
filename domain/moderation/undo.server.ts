import { isOutage } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { record } from "../audit/audit.server.ts";
import { type Action, mustBeAllowed } from "../permissions.ts";
import { putFiguresBack } from "../posts/figures.server.ts";
import { putBack } from "../posts/holding.server.ts";
import { putProfileBack } from "../profiles/clearing.server.ts";
import { Conflict, isRefusal, NotFound } from "../refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { undoProblem } from "./act.ts";
import { type Act, findAct } from "./acts.server.ts";
import { liftSuspension } from "./suspensions.server.ts";

/**
 * Takes back what an administrator or a rule did, within 30 days; what still holds, or is suspended, at any time.
 * @throws NotFound when there is no such act or nothing left of what it was about; Conflict when it can't be undone.
 */
export async function undoAct(site: Site, viewer: Viewer, id: string): Promise<void> {
  mustBeAllowed(viewer, "undo a decision");
  await transaction(site, (tx) => undoInside(tx, viewer, id));
}

/** The same within a transaction that decides something else as well. */
export async function undoInside(tx: SiteTransaction, viewer: Member, id: string): Promise<void> {
  await forUpdate(tx, tx.db.selectFrom("moderation_actions").select("number").where("id", "=", id)).execute();
  const act = await findAct(tx, id);
  if (!act) throw new NotFound();
  const problem = undoProblem(act, tx.now());
  if (problem) throw new Conflict(problem);
  mustBeAllowed(viewer, neededFor(act.kind));
  if (act.kind === "suspend") await liftSuspension(tx, act);
  else if (act.kind === "clear") await putProfileBack(tx, act);
  else if (act.kind === "likes" || act.kind === "views") await putFiguresBack(tx, act);
  else await putBack(tx, act);
  await tx.db.updateTable("moderation_actions").set({ undoneAt: tx.now() }).where("id", "=", id).execute();
  await record(tx, viewer, { action: "act.undone", subject: act.subject, before: { done: act.kind }, after: { title: act.title } });
  tx.changed("moderation.undone", { id });
}

/** Undoing takes what doing took. */
function neededFor(kind: Act["kind"]): Action {
  if (kind === "suspend" || kind === "clear") return "moderate members";
  return kind === "likes" || kind === "views" ? "set figures" : "undo a decision";
}

export type BatchUndone = { successful: number; failed: number };

/** Takes back what was done to many at once, each for itself: what can't be undone keeps nothing from the others. */
export async function undoBatch(site: Site, viewer: Viewer, batchId: string): Promise<BatchUndone> {
  mustBeAllowed(viewer, "undo a decision");
  const acts = await site.db
    .selectFrom("moderation_actions")
    .select("id")
    .where("batchId", "=", batchId)
    .where("undoneAt", "is", null)
    .orderBy("number")
    .execute();
  const done = { successful: 0, failed: 0 };
  for (const { id } of acts) done[(await tryToUndo(site, viewer, id)) ? "successful" : "failed"]++;
  return done;
}

async function tryToUndo(site: Site, viewer: Viewer, id: string): Promise<boolean> {
  try {
    await undoAct(site, viewer, id);
    return true;
  } catch (error) {
    if (!isRefusal(error) && !isOutage(error)) site.log.error({ err: error, id }, "an act could not be undone");
    return false;
  }
}
