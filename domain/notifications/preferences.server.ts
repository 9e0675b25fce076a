import type { Selectable, Updateable } from "kysely";
import type { NotificationPreferenceRow, NotificationSettingsRow } from "#platform/database/rows/notification-rows.ts";
import { requirePermission } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import {
  type ConfigurableKind,
  configurableKinds,
  type DigestFrequency,
  defaultPreference,
  digestFrequencies,
  type EmailFrequency,
  notificationTexts,
  type Preference,
  type Preferences,
} from "./kinds.ts";
import { isTimeZone, nextDigest, type QuietHours, quietHoursEndAt } from "./local-time.ts";

export type NotificationSettings = { preferences: Preferences; quiet: QuietHours | null; timeZone: string | null };

export const fallbackZone = "UTC";

export async function readNotificationSettings(site: Site, viewer: Viewer): Promise<NotificationSettings> {
  requirePermission(viewer, "change an account", viewer?.id);
  const [preferences, row] = await Promise.all([readPreferences(site, viewer.id), readSettingsRow(site, viewer.id)]);
  return { preferences, quiet: quietOf(row), timeZone: row?.timeZone ?? null };
}

export async function readPreferences({ db }: Pick<Site, "db"> | SiteTransaction, userId: string): Promise<Preferences> {
  const rows = await db.selectFrom("notification_preferences").selectAll().where("userId", "=", userId).execute();
  const chosen = new Map(rows.map((row) => [row.kind, row]));
  return Object.fromEntries(configurableKinds.map((kind) => [kind, preferenceOf(kind, chosen.get(kind))])) as Preferences;
}

export async function readPreference({ db }: SiteTransaction, userId: string, kind: ConfigurableKind): Promise<Preference> {
  const own = db.selectFrom("notification_preferences").selectAll().where("userId", "=", userId);
  return preferenceOf(kind, await own.where("kind", "=", kind).executeTakeFirst());
}

function preferenceOf(kind: ConfigurableKind, row: Selectable<NotificationPreferenceRow> | undefined): Preference {
  const byDefault = defaultPreference(kind);
  if (!row) return byDefault;
  return { onSite: Boolean(row.onSite), email: row.email as EmailFrequency, push: row.push === null ? byDefault.push : Boolean(row.push) };
}

type PreferenceInput = Omit<Preference, "push"> & { push?: boolean };
type PreferencesInput = { preferences: Partial<Record<ConfigurableKind, PreferenceInput>>; quiet?: QuietHours | null; timeZone?: string };

/** Fields that aren't given stay unchanged. @throws Invalid for an unknown time zone. */
export async function saveNotificationSettings(
  site: Site,
  viewer: Viewer,
  { preferences, quiet, timeZone }: PreferencesInput,
): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw new Invalid(notificationTexts.zoneWrong, "timeZone");
  await transaction(site, async (tx) => {
    for (const [kind, preference] of Object.entries(preferences)) await savePreference(tx, viewer.id, kind as ConfigurableKind, preference);
    await saveSettingsRow(tx, viewer.id, {
      ...(timeZone !== undefined && { timeZone }),
      ...(quiet !== undefined && { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null }),
    });
    await planDigests(tx, viewer.id);
    tx.changed("notification.changed", { userId: viewer.id });
  });
}

export async function savePreference(
  { db }: SiteTransaction,
  userId: string,
  kind: ConfigurableKind,
  preference: PreferenceInput,
): Promise<void> {
  await db
    .insertInto("notification_preferences")
    .values({ userId, kind, ...preference })
    .onConflict((conflict) => conflict.columns(["userId", "kind"]).doUpdateSet(preference))
    .execute();
}

type SettingsChange = Omit<Updateable<NotificationSettingsRow>, "userId">;

export async function saveSettingsRow({ db }: SiteTransaction, userId: string, change: SettingsChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db
    .insertInto("notification_settings")
    .values({ userId, ...(change as object) })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(change as object))
    .execute();
}

export function readSettingsRow({ db }: Pick<Site, "db"> | SiteTransaction, userId: string) {
  return db.selectFrom("notification_settings").selectAll().where("userId", "=", userId).executeTakeFirst();
}

type SettingsRow = Awaited<ReturnType<typeof readSettingsRow>>;

function quietOf(row: SettingsRow): QuietHours | null {
  return row && row.quietFrom !== null && row.quietTo !== null ? { from: Number(row.quietFrom), to: Number(row.quietTo) } : null;
}

/** A new digest starts with what happens from now on. */
export async function planDigests(tx: SiteTransaction, userId: string): Promise<void> {
  const [preferences, row] = [await readPreferences(tx, userId), await readSettingsRow(tx, userId)];
  const chosenFrequencies = new Set(Object.values(preferences).map(({ email }) => email));
  const zone = row?.timeZone ?? fallbackZone;
  const now = tx.now();
  for (const frequency of digestFrequencies) {
    const columns = digestColumns[frequency];
    if (chosenFrequencies.has(frequency))
      await saveSettingsRow(tx, userId, { [columns.due]: nextDigest(now, frequency, zone), [columns.since]: row?.[columns.since] ?? now });
    else if (row?.[columns.due] != null) await saveSettingsRow(tx, userId, { [columns.due]: null, [columns.since]: null });
  }
}

export const digestColumns = {
  daily: { due: "dailyDueAt", since: "dailySince" },
  weekly: { due: "weeklyDueAt", since: "weeklySince" },
} as const satisfies Record<DigestFrequency, { due: string; since: string }>;

export async function quietHoursEnd(site: Pick<Site, "db" | "now"> | SiteTransaction, userId: string): Promise<number | undefined> {
  const row = await readSettingsRow(site as SiteTransaction, userId);
  return quietHoursEndAt(site.now(), quietOf(row), row?.timeZone ?? fallbackZone);
}
