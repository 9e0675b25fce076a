import { Conflict } from "../refusals.ts";
import type { Site } from "../site.ts";

/**
 * Ids that clients may choose: too long to occur in other texts, and without the period that separates account and slug in working copy
 * ids.
 */
export const chosenIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{11,35}$/;

/** Ids of deleted accounts stay reserved: old links and mentions still refer to them. @throws Conflict. */
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
  if (used) throw new Conflict("This id is already taken", "userId");
}
