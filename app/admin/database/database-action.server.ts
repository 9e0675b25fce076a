import { redirectWithToast } from "#app/shell/flash.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { backupTexts } from "#domain/backups/backup.ts";
import { startBackup } from "#domain/backups/backups.server.ts";
import { startCheck } from "#domain/backups/database.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import type { Site, Viewer } from "#domain/site.ts";

const page = "/admin/database";

/** `form`: the field `do` of the form that was refused. */
export type DatabaseRefusal = { form: string | null; text: string };

export async function runDatabaseAction(site: Site, viewer: Viewer, request: Request) {
  const form = await readForm(request);
  try {
    return redirectWithToast(page, { tone: "success", text: await run(site, viewer, form) });
  } catch (error) {
    return respondToForm<DatabaseRefusal>(error, (refusal) => ({
      form: form.get("do")?.toString() ?? null,
      text: detailsOf(refusal, "settings-changed") ? backupTexts.settingsChanged : refusal.message,
    }));
  }
}

async function run(site: Site, viewer: Viewer, form: FormData): Promise<string> {
  if (form.get("do") === "check") {
    await startCheck(site, viewer);
    return backupTexts.checkStarted;
  }
  if (form.get("do") === "backup") {
    await startBackup(site, viewer);
    return backupTexts.started;
  }
  await saveSettings(site, viewer, settingsIn(form), settingsIn(form, "seen "));
  return backupTexts.saved;
}

function settingsIn(form: FormData, prefix = "") {
  const numberOf = (name: string) => Number(form.get(prefix + name) || Number.NaN);
  return { backupEvery: numberOf("backupEvery"), backupsKept: numberOf("backupsKept") };
}
