import { getAuthenticatorName } from "@better-auth/passkey";
import type { Database } from "#platform/database/open.ts";

export type Passkey = { id: string; name: string; createdAt: number };

export async function readPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom("passkeys")
    .select(["id", "name", "aaguid", "createdAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, aaguid, createdAt }) => ({
    id,
    name: name || getAuthenticatorName(aaguid) || "Passkey",
    createdAt: createdAt === null ? 0 : new Date(createdAt).getTime(),
  }));
}
