import { hashPassword } from "better-auth/crypto";
import { announceAccount } from "../documents/announce.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { type Member, type Site, transaction, type Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { forgiveAttempt, limitAttempts } from "./attempts.server.ts";
import { tellOwner } from "./security-letters.ts";

const failuresPerPerson = { max: 10, minutes: 15 };

/**
 * Lets pass whoever knows the account's password; only failures count towards the limit.
 * @throws Invalid beside `field`, TooMany.
 */
export async function requirePassword(site: Site, viewer: Member, password: string, field = "password"): Promise<void> {
  const key = `own-password:${viewer.id}`;
  await limitAttempts(site, key, failuresPerPerson);
  const account = await site.db
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", viewer.id)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  const { password: hashing } = await site.auth.$context;
  const right = account?.password && (await hashing.verify({ hash: account.password, password }));
  if (!right) throw new Invalid(accountTexts.passwordWrong, field);
  await forgiveAttempt(site, key);
}

/**
 * Changes the viewer's password, signs out all their other devices and voids links for a new password that are under way.
 * @throws Invalid beside `current`, TooMany, or what the permissions refuse.
 */
export async function changePassword(
  site: Site,
  viewer: Viewer,
  { current, password }: { current: string; password: string },
): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, current, "current");
  const hash = await hashPassword(password);
  await transaction(site, async (tx) => {
    await tx.db
      .updateTable("accounts")
      .set({ password: hash, updatedAt: new Date(tx.now()).toISOString() })
      .where("userId", "=", viewer.id)
      .where("providerId", "=", "credential")
      .execute();
    const others = tx.db.deleteFrom("sessions").where("userId", "=", viewer.id);
    await (viewer.sessionId ? others.where("id", "<>", viewer.sessionId) : others).execute();
    await tx.db.deleteFrom("verifications").where("value", "=", viewer.id).execute();
    announceAccount(tx, viewer.id, "password");
  });
  await tellOwner(site, viewer, "password changed");
}
