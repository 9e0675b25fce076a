import { useState } from "react";
import { Field, FieldError, TextArea } from "#app/ui/field.tsx";
import { fullCount } from "#domain/format.ts";
import { noteMaxLength, type ReportReason, reportReasons } from "#domain/reports/report.ts";

/** What the server says to a report that it doesn't take, with what was typed for a form without JavaScript. */
export type ReportRefusal = {
  sent: false;
  message: string | undefined;
  errors: { reason?: string | undefined; note?: string | undefined };
  typed: { reason: string; note: string };
};

export type ReportAnswer = { sent: true; text: string } | ReportRefusal;

const reasons = Object.entries(reportReasons) as [ReportReason, string][];

export function ReportFields({ refusal }: { refusal: ReportRefusal | undefined }) {
  const [note, setNote] = useState(refusal?.typed.note ?? "");
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
                defaultChecked={refusal?.typed.reason === value}
                className="size-4 shrink-0 accent-accent"
              />
              {label}
            </label>
          ))}
        </div>
        {refusal?.errors.reason && <FieldError>{refusal.errors.reason}</FieldError>}
      </fieldset>
      <Field
        label="Note"
        hint="Only the people who run this site see this."
        error={refusal?.errors.note}
        aside={
          <span className="num text-ink-3">
            {fullCount(note.length)}/{fullCount(noteMaxLength)}
          </span>
        }
      >
        <TextArea name="note" rows={4} maxLength={noteMaxLength} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      </Field>
      {refusal?.message && (
        <div role="alert">
          <FieldError>{refusal.message}</FieldError>
        </div>
      )}
    </>
  );
}
