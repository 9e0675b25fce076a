import { Conflict } from "../refusals.ts";
import type { Site } from "../site.ts";

/**
 * An id that a client may choose for its account: long enough not to be a part of other texts, and without the period that
 * parts an account from a slug in a working copy's id.
 */
export const chosenIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{11,35}$/;

/** Refuses the id of an account there is, and of one there was: links and mentions that are left would be its new owner's. @throws Conflict. */
export async function requireUnusedId(site: Site, id: string): Promise<void> {
  const { used } = await site.db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom("users").select("id").where("id", "=", id)),
          eb.exists(eb.selectFrom("deleted_accounts").select("userId").where("userId", "=", id)),
        ])
        .as("used"),
    )
    .executeTakeFirstOrThrow();
  if (used) throw new Conflict("This id is in use, or was", "userId");
}
