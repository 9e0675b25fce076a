import { Form } from "react-router";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { backupIntervalsHours } from "#domain/backups/backup.ts";

const names: Record<(typeof backupIntervalsHours)[number], string> = {
  0: "Never",
  6: "Every 6 hours",
  12: "Every 12 hours",
  24: "Every day",
  168: "Every week",
};

const intervalOptions = backupIntervalsHours.map((hours) => ({ value: String(hours), label: names[hours] }));

type BackupSettingsProps = { backupEvery: number; backupsKept: number; error: string | undefined };

export function BackupSettings({ backupEvery, backupsKept, error }: BackupSettingsProps) {
  return (
    <Form method="post" preventScrollReset className="mt-4 flex flex-wrap items-end gap-3 border-t border-line pt-4">
      <Field label="Scheduled" id="backup-every" className="w-full sm:w-44">
        <Select
          key={backupEvery}
          id="backup-every"
          name="backupEvery"
          defaultValue={String(backupEvery)}
          options={intervalOptions}
          className="w-full"
        />
      </Field>
      <Field label="Backups to keep" className="w-full sm:w-36">
        <TextInput key={backupsKept} name="backupsKept" inputMode="numeric" defaultValue={backupsKept} className="h-10!" />
      </Field>
      <input type="hidden" name="seen backupEvery" value={backupEvery} />
      <input type="hidden" name="seen backupsKept" value={backupsKept} />
      <Button type="submit" name="do" value="settings">
        Save
      </Button>
      <FormError className="w-full">{error}</FormError>
    </Form>
  );
}
