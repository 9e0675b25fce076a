import { Field, TextArea } from "#app/ui/field.tsx";
import { reasonMaxLength } from "#domain/moderation/moderation-action.ts";

type ReasonFieldProps = {
  error?: string | undefined;
  defaultValue?: string | undefined;
  label?: string | undefined;
  hint?: string | undefined;
  autoFocus?: boolean | undefined;
  required?: boolean | undefined;
};

export function ReasonField({
  error,
  label = "Why?",
  hint = "The author sees this in their notifications and by email.",
  ...rest
}: ReasonFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <TextArea name="reason" rows={3} maxLength={reasonMaxLength} {...rest} />
    </Field>
  );
}
