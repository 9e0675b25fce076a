import { createHmac, randomBytes } from "node:crypto";
import type { Site, SiteTransaction } from "#domain/site.ts";
import { deleteInBatches } from "#platform/database/batches.ts";
import { days, seconds } from "#platform/time.ts";
import { sessionCookieName } from "./auth.server.ts";

export const maxSessions = 50;
const maxAgeSeconds = days(30) / seconds(1);
const rowsPerBatch = 1_000;

/** Call after each sign-in. */
export async function endOldestSessions({ db }: Site, userId: string): Promise<void> {
  const tooMany = await db
    .selectFrom("sessions")
    .select("id")
    .where("userId", "=", userId)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .limit(1000)
    .offset(maxSessions)
    .execute();
  if (tooMany.length === 0) return;
  const ids = tooMany.map(({ id }) => id);
  await db.deleteFrom("sessions").where("id", "in", ids).execute();
}

export async function sweepSessions({ db, now }: Site): Promise<void> {
  const date = new Date(now()).toISOString();
  for (const table of ["sessions", "verifications"] as const) {
    const expired = db.selectFrom(table).select("id").where("expiresAt", "<=", date).limit(rowsPerBatch);
    await deleteInBatches(rowsPerBatch, db.deleteFrom(table).where("id", "in", expired));
  }
}

/** Invalidates the old token. */
export async function renewToken(tx: SiteTransaction, sessionId: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await tx.db.updateTable("sessions").set({ token }).where("id", "=", sessionId).execute();
  return token;
}

export function sessionCookie({ url, secret }: Pick<Site, "url" | "secret">, token: string): string {
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${sessionCookieName(url)}=${encodeURIComponent(`${token}.${signature}`)}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
