import { megabyte } from "#platform/bytes.ts";
import { hours } from "#platform/time.ts";
import { sizeText } from "../backups/backup.ts";
import { Invalid, TooMany } from "../refusals.ts";
import { storageQuota } from "../settings/settings.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

/** In bytes. */
export type Storage = { used: number; quota: number };

export const bytesPerHour = 500 * megabyte;

export async function readStorage(site: Site, userId: string): Promise<Storage> {
  return { used: await readUsed(site, userId), quota: storageQuota(site.settings) };
}

async function readUsed({ db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">, userId: string): Promise<number> {
  const row = await db.selectFrom("member_storage").select(["fileBytes", "textBytes"]).where("userId", "=", userId).executeTakeFirst();
  return row ? Number(row.fileBytes) + Number(row.textBytes) : 0;
}

/**
 * Called in the transaction that has just added something of the member's: what was added counts already, and who adds at the same time
 * waits for this transaction. @throws Invalid, which undoes it.
 */
export async function mustFitStorage(
  tx: SiteTransaction,
  { settings }: Pick<Site, "settings">,
  userId: string,
  field?: string,
): Promise<void> {
  const quota = storageQuota(settings);
  if ((await readUsed(tx, userId)) > quota) throw new Invalid(storageFull(quota), field);
}

export function storageFull(quota: number): string {
  return `You’ve used all ${sizeText(quota).replace(".0 ", " ")} of your storage`;
}

/**
 * Counts what a member sends, before anything is done with it, whatever becomes of it.
 * @throws TooMany once an hour holds more than `bytesPerHour`.
 */
export async function countSent(site: Site, { id: userId }: Member, bytes: number): Promise<void> {
  const now = site.now();
  const fresh = { hourBytes: bytes, hourEndsAt: now + hours(1) };
  const { hourBytes, hourEndsAt } = await site.db
    .insertInto("member_storage")
    .values({ userId, ...fresh })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet((eb) => {
        const over = eb("member_storage.hourEndsAt", "<=", now);
        const sum = eb("member_storage.hourBytes", "+", eb.ref("excluded.hourBytes"));
        return {
          hourBytes: eb.case().when(over).then(eb.ref("excluded.hourBytes")).else(sum).end(),
          hourEndsAt: eb.case().when(over).then(eb.ref("excluded.hourEndsAt")).else(eb.ref("member_storage.hourEndsAt")).end(),
        };
      }),
    )
    .returning(["hourBytes", "hourEndsAt"])
    .executeTakeFirstOrThrow();
  if (Number(hourBytes) <= bytesPerHour) return;
  const seconds = Math.max(1, Math.ceil((Number(hourEndsAt) - now) / 1000));
  throw new TooMany(
    `You’ve uploaded ${sizeText(bytesPerHour).replace(".0 ", " ")} within an hour. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
    seconds,
  );
}
