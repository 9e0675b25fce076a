import { ownsSecondStep } from "#domain/staff/staff.server.ts";
import type { Database, DatabaseTransaction } from "#platform/database/open.ts";
import type { Events } from "#platform/events/events.ts";
import type { Log } from "#platform/log.ts";
import { serialReads } from "#platform/queues/serial-reads.ts";
import { type Actor, recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { defaultSettings, type Settings, settingsTexts } from "./settings.ts";
import { SettingsChanges, SettingsInput } from "./settings-input.ts";

const topic = "settings";
/** Every save writes this row first: on PostgreSQL its lock serializes saves. */
const savedAt = "savedAt";

export type CurrentSettings = { settings: Settings; reload(): Promise<void> };

/** Reads the settings and follows changes by any process. */
export async function watchSettings({ db, events, log }: { db: Database; events: Events; log: Log }): Promise<CurrentSettings> {
  const settings = structuredClone(defaultSettings);
  const { read, reload } = serialReads(async () => void Object.assign(settings, await readSettings(db, log)), log, "settings");
  // Subscribed before the first read, so that no change is missed.
  events.subscribe(topic, () => void reload());
  await read();
  return { settings, reload };
}

async function readSettings(db: Database | DatabaseTransaction, log?: Log): Promise<Settings> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).execute();
  const saved: Partial<Settings> = {};
  for (const { name, value } of rows.filter((row) => row.name in defaultSettings)) {
    const result = SettingsChanges.safeParse({ [name]: JSON.parse(value) });
    if (result.success) Object.assign(saved, result.data);
    else log?.warn({ name, value }, "a setting can't be used");
  }
  return { ...structuredClone(defaultSettings), ...saved };
}

/**
 * Applies to this process at once, to others within a second. @param seen the values that the viewer edited. @param follow runs in the same
 * transaction after a change. @throws Invalid with the field, also against locking oneself out; Conflict with the `names` that someone else
 * has changed.
 */
export async function saveSettings(
  site: Site,
  viewer: Viewer,
  changes: SettingsChanges,
  seen: SettingsChanges = {},
  follow?: Follow,
): Promise<void> {
  requirePermission(viewer, "change settings");
  if (changes.staffSecondStep && !site.settings.staffSecondStep && !(await ownsSecondStep(site, viewer.id)))
    throw new Invalid(settingsTexts.secondStepFirst, "staffSecondStep");
  await change(site, viewer, changes, seen, follow);
}

/** From the console or the setup page. @throws Invalid, Conflict. */
export async function saveSettingsAsOperator(site: Site, changes: SettingsChanges, actor: Actor = null): Promise<void> {
  await change(site, actor, changes);
}

type Follow = (tx: SiteTransaction, before: Settings, after: Settings) => Promise<void>;

async function change(site: Site, actor: Actor, changes: SettingsChanges, seen: SettingsChanges = {}, follow?: Follow): Promise<void> {
  const result = SettingsChanges.safeParse(changes);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Invalid(issue?.message ?? settingsTexts.failed, issue?.path[0]?.toString());
  }
  const requested = result.data as Partial<Settings>;
  try {
    await transaction(site, async (tx) => {
      await save(tx, savedAt, tx.now());
      const current = await readSettings(tx.db);
      const { before, after } = differences(current, requested);
      const names = changedSince(before, seen);
      if (names.length > 0) throw new Conflict(settingsTexts.changedMeanwhile, undefined, { kind: "settings-changed", names });
      for (const [name, value] of Object.entries(after)) await save(tx, name, value);
      if (Object.keys(after).length === 0) return;
      await follow?.(tx, current, { ...current, ...requested });
      await recordAudit(tx, actor, { action: "settings.changed", subject: "settings", before, after });
      tx.changed("settings.changed", {});
    });
  } finally {
    // Also after a conflict: the page shows the current values.
    await site.reloadSettings();
  }
}

/** An unset value (null) never conflicts: the page showed its effective value. */
function changedSince(before: Partial<Settings>, seen: SettingsChanges): string[] {
  const known = (SettingsChanges.safeParse(seen).data ?? {}) as Partial<Settings>;
  const names = Object.keys(before) as (keyof Settings)[];
  return names.filter(
    (name) => known[name] !== undefined && before[name] !== null && JSON.stringify(known[name]) !== JSON.stringify(before[name]),
  );
}

function differences(current: Settings, requested: Partial<Settings>) {
  const names = Object.keys(SettingsInput.shape) as (keyof Settings)[];
  const changed = names.filter(
    (name) => requested[name] !== undefined && JSON.stringify(requested[name]) !== JSON.stringify(current[name]),
  );
  const only = (from: Partial<Settings>) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  return { before: only(current), after: only(requested) };
}

async function save({ db }: SiteTransaction, name: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  await db
    .insertInto("settings")
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
    .execute();
}
