import { randomBytes } from "node:crypto";
import type { EmailKind } from "#domain/mail/email-kinds.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { configurableKinds, type UnsubscribeTarget } from "./kinds.ts";
import { planDigests, readPreferences, readSettingsRow, savePreference } from "./preferences.server.ts";

async function tokenOf(tx: SiteTransaction, userId: string): Promise<string> {
  const known = (await readSettingsRow(tx, userId))?.token;
  if (known) return known;
  // Two first emails at the same time must have the same token, or the link of one would do nothing.
  const { token } = await tx.db
    .insertInto("notification_settings")
    .values({ userId, token: randomBytes(24).toString("base64url") })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet((eb) => ({ token: eb.fn.coalesce("notification_settings.token", "excluded.token") })),
    )
    .returning("token")
    .executeTakeFirstOrThrow();
  return String(token);
}

export async function unsubscribeLink(
  tx: SiteTransaction,
  userId: string,
  about: UnsubscribeTarget,
): Promise<{ unsubscribeUrl: string; headers: Record<string, string> }> {
  const unsubscribeUrl = `${tx.url}/notifications/stop?about=${about}&token=${await tokenOf(tx, userId)}`;
  return { unsubscribeUrl, headers: { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } };
}

export async function isUnsubscribeToken({ db }: Site, token: string): Promise<boolean> {
  return (await db.selectFrom("notification_settings").select("userId").where("token", "=", token).executeTakeFirst()) !== undefined;
}

/** Also deletes waiting emails. @returns false for an unknown token. */
export function stopEmails(site: Site, token: string, about: UnsubscribeTarget): Promise<boolean> {
  return transaction(site, async (tx) => {
    const found = await tx.db.selectFrom("notification_settings").select("userId").where("token", "=", token).executeTakeFirst();
    if (!found) return false;
    const { userId } = found;
    const preferences = await readPreferences(tx, userId);
    const ended = configurableKinds.filter((kind) => kind === about || preferences[kind].email === about);
    for (const kind of ended) await savePreference(tx, userId, kind, { ...preferences[kind], email: "never" });
    await planDigests(tx, userId);
    await tx.db
      .deleteFrom("outbox")
      .where("userId", "=", userId)
      .where("kind", "=", emailKindOf[about])
      .where("state", "=", "waiting")
      .execute();
    return true;
  });
}

const emailKindOf: Record<UnsubscribeTarget, EmailKind> = {
  follower: "follower",
  like: "like",
  bookmark: "bookmark",
  story: "stories",
  message: "messages",
  daily: "digest",
  weekly: "digest",
};
