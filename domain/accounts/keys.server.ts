import { randomBytes } from "node:crypto";
import { newId } from "#platform/ids.ts";
import { NotFound } from "../refusals.ts";
import type { Site } from "../site.ts";
import { tidyEmail } from "./account.ts";

const year = 365 * 24 * 60 * 60 * 1000;

/** What a server program shows to act as somebody: a session that lasts a year, and ends as any other. */
export type Key = { userId: string; name: string; token: string; expiresAt: number };

/** Makes a key for the account with this address. @throws NotFound. */
export async function makeKey(site: Site, given: string): Promise<Key> {
  const email = tidyEmail(given);
  const user = await site.db.selectFrom("users").select(["id", "name"]).where("email", "=", email).executeTakeFirst();
  if (!user) throw new NotFound(`There is no account with the address ${email}.`);
  const now = site.now();
  const token = randomBytes(24).toString("base64url");
  const dates = {
    createdAt: new Date(now).toISOString(),
    updatedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + year).toISOString(),
  };
  const session = { id: newId(now), userId: user.id, token, ipAddress: null, userAgent: "API key", ...dates };
  await site.db.insertInto("sessions").values(session).execute();
  return { userId: user.id, name: user.name, token, expiresAt: now + year };
}
