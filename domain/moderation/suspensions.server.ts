import { days } from "#platform/time.ts";
import { namedUsers } from "../named-users.server.ts";
import { requirePermission } from "../permissions.ts";
import { removePushDevicesOf } from "../push/push-devices.server.ts";
import { Invalid, NotAllowed, NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { actionTexts, maxSuspensionDays } from "./moderation-action.ts";
import { type ModerationAction, recordModerationAction } from "./moderation-actions.server.ts";

/**
 * Applies at once to all sessions, the API and sockets. Ends by itself; replaces an earlier suspension. @throws Invalid unless 1 to 365
 * days, NotAllowed for staff, NotFound.
 */
export async function suspendMember(
  site: Site,
  viewer: Viewer,
  userId: string,
  { days: length, reason }: { days: number; reason: string },
): Promise<void> {
  requirePermission(viewer, "moderate members");
  if (!Number.isInteger(length) || length < 1 || length > maxSuspensionDays) throw new Invalid(actionTexts.daysWrong, "days");
  if (userId === viewer.id) throw new NotAllowed(actionTexts.notYourself);
  const { name } = await findSuspendable(site, userId);
  await transaction(site, async (tx) => {
    const until = tx.now() + days(length);
    const id = await recordModerationAction(tx, viewer, {
      ...{ kind: "suspend", subject: `user:${userId}`, title: name, memberId: userId, reason, before: {}, endsAt: until },
      log: { action: "user.suspended", after: { name, until: new Date(until).toISOString() } },
    });
    await tx.db
      .insertInto("suspensions")
      .values({ userId, actionId: id, until })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet({ actionId: id, until }))
      .execute();
    await removePushDevicesOf(tx, userId);
    tx.changed("account.suspended", { userId });
  });
}

async function findSuspendable(site: Site, userId: string): Promise<{ name: string }> {
  const user = await namedUsers(site)
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select(["u.email", "a.userId as staffId"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!user) throw new NotFound();
  if (user.staffId !== null || site.adminEmails.includes(user.email)) throw new NotAllowed(actionTexts.noStaff);
  return user;
}

/** @throws Invalid if a later suspension has replaced it. */
export async function liftSuspension(tx: SiteTransaction, { id }: ModerationAction): Promise<void> {
  const { numDeletedRows } = await tx.db.deleteFrom("suspensions").where("actionId", "=", id).executeTakeFirstOrThrow();
  if (!numDeletedRows) throw new Invalid(actionTexts.suspendedLater);
}

/** Pages compare times, but lists of the API show a profile again only when its suspension is gone. */
export async function removeEndedSuspensions({ db, now }: Site): Promise<void> {
  const ended = db.selectFrom("suspensions").select("userId").where("until", "<=", now());
  // An UPDATE or DELETE renews cached pages, even if it finds no row.
  if (await ended.limit(1).executeTakeFirst()) await db.deleteFrom("suspensions").where("until", "<=", now()).execute();
}
