import { signJWT, verifyJWT } from "better-auth/crypto";
import { isDuplicate } from "#platform/database/errors.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { limitAttempts } from "./attempts.server.ts";
import { requirePassword } from "./passwords.server.ts";
import { emailChangeLetter, tellOwner } from "./security-letters.ts";

const lettersPerPerson = { max: 5, minutes: 60 };
const day = 24 * 60 * 60;
const purpose = "change of address";

/**
 * Mails a link to the new address; nothing changes before it is opened.
 * @throws Invalid beside `password`, Conflict on a taken address, TooMany, or what the permissions refuse.
 */
export async function requestEmailChange(
  site: Site,
  viewer: Viewer,
  { email, password }: { email: string; password: string },
): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  if (email === viewer.email) throw new Conflict("This is your address already", "email");
  await refuseTaken(site, email);
  await limitAttempts(site, `email-change:${viewer.id}`, lettersPerPerson);
  const token = await signJWT({ purpose, userId: viewer.id, from: viewer.email, to: email }, site.secret, day);
  await site.mail.send(emailChangeLetter(site, { name: viewer.name, email }, token));
}

async function refuseTaken(site: Site, email: string): Promise<void> {
  const taken = await site.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  if (taken) throw new Conflict(accountTexts.emailTaken, "email");
}

/** A change of address that a link stands for; `done` when it has been made. */
export type EmailChange = { userId: string; from: string; to: string; done: boolean };

/** What a link would change, or null for one that is wrong, too old or overtaken by another. Changes nothing. */
export async function readEmailChange(site: Site, token: string): Promise<EmailChange | null> {
  const payload = await verifyJWT(token, site.secret);
  const { userId, from, to } = payload ?? {};
  if (payload?.purpose !== purpose || typeof userId !== "string" || typeof from !== "string" || typeof to !== "string") return null;
  const user = await site.db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return user && (user.email === from || user.email === to) ? { userId, from, to, done: user.email === to } : null;
}

/**
 * Gives the account its new address, confirmed by the link that was mailed there, and tells the old one. Links for a new
 * password that went to the old address are void. A second time changes nothing.
 * @throws Invalid, Conflict when somebody else has taken the address meanwhile.
 */
export async function confirmEmailChange(site: Site, token: string): Promise<void> {
  const change = await readEmailChange(site, token);
  if (!change) throw new Invalid(accountTexts.linkUsedUp);
  const { userId, from, to, done } = change;
  if (done) return;
  try {
    await transaction(site, async (tx) => {
      await tx.db
        .updateTable("users")
        .set({ email: to, emailVerified: true, updatedAt: new Date(tx.now()).toISOString() })
        .where("id", "=", userId)
        .where("email", "=", from)
        .execute();
      await tx.db.deleteFrom("verifications").where("value", "=", userId).execute();
    });
  } catch (error) {
    throw isDuplicate(error) ? new Conflict(accountTexts.emailTaken) : error;
  }
  const { name } = await site.db.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirstOrThrow();
  await tellOwner(site, { name, email: from }, "email changed");
}
