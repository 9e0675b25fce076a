import { useState } from "react";
import type { RefusedForm } from "#app/forms/refused-form.ts";
import { Field, FieldError, TextArea } from "#app/ui/field.tsx";
import { fullCount } from "#domain/format.ts";
import { noteMaxLength, type ReportReason, reportReasons } from "#domain/reports/report.ts";

export type ReportFormValues = Record<"reason" | "note", string>;

const reasons = Object.entries(reportReasons) as [ReportReason, string][];

type Props = { refused: RefusedForm<ReportFormValues> | undefined; kept?: ReportFormValues | undefined };

export function ReportFields({ refused, kept }: Props) {
  const values = refused?.values ?? kept;
  const [note, setNote] = useState(values?.note ?? "");
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">What’s wrong with it?</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {reasons.map(([value, label]) => (
            <label key={value} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-base max-lg:min-h-11">
              <input
                type="radio"
                name="reason"
                value={value}
                required
                defaultChecked={values?.reason === value}
                className="size-4 shrink-0 accent-accent"
              />
              {label}
            </label>
          ))}
        </div>
        {refused?.errors.reason && <FieldError>{refused.errors.reason}</FieldError>}
      </fieldset>
      <Field
        label="Note"
        hint="Only the site’s staff see this."
        error={refused?.errors.note}
        aside={
          <span className="num text-ink-3">
            {fullCount(note.length)}/{fullCount(noteMaxLength)}
          </span>
        }
      >
        <TextArea name="note" rows={4} maxLength={noteMaxLength} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      </Field>
      {refused?.errors.form && <FieldError>{refused.errors.form}</FieldError>}
    </>
  );
}
