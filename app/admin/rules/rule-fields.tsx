import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import type { FormErrors } from "#app/forms/refused-form.ts";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { type Condition, type Rule, ruleLimits, ruleTexts } from "#domain/rules/rule.ts";

export const ruleFields = ["younger", "stories", "links", "words", "outcome", "message"] as const;
/** A blank field is no condition. */
export type RuleFormValues = Record<(typeof ruleFields)[number], string>;

export function fieldsOf(rule: Rule | null): RuleFormValues {
  const values: RuleFormValues = {
    younger: "",
    stories: "",
    links: "",
    words: "",
    outcome: rule?.outcome ?? "report",
    message: rule?.message ?? "",
  };
  for (const condition of rule?.conditions ?? []) fill(values, condition);
  return values;
}

function fill(values: RuleFormValues, condition: Condition): void {
  if (condition.kind === "younger") values.younger = String(condition.days);
  else if (condition.kind === "stories") values.stories = String(condition.fewer);
  else if (condition.kind === "links") values.links = String(condition.more);
  else values.words = `${values.words} ${condition.word}`.trim();
}

const outcomes = [
  { value: "report", label: "Report", note: "Readers can see it. It goes to the report queue." },
  { value: "hold", label: "Hold", note: "Hidden until staff decide. It goes to the report queue." },
];

export function RuleFields({ values, errors }: { values: RuleFormValues; errors: FormErrors<RuleFormValues> }) {
  const number = (name: "younger" | "stories" | "links", label: string, hint: string) => (
    <Field label={label} hint={hint} error={errors[name]}>
      <TextInput name={name} inputMode="numeric" autoComplete="off" defaultValue={values[name]} />
    </Field>
  );
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-3">
        {number("younger", "Account younger than", "In days.")}
        {number("stories", "Fewer published stories than", "By the same author, not counting this one.")}
        {number("links", "More links than", "Use 0 to match any link.")}
      </div>
      <Field
        label="Contains"
        hint={`Up to ${ruleLimits.words} words. The title or text must contain all of them. Case and accents don’t matter.`}
        error={errors.words}
      >
        <TextInput name="words" autoComplete="off" defaultValue={values.words} />
      </Field>
      <ChoiceList name="outcome" legend="Then" choices={outcomes} chosen={values.outcome || "report"} />
      <Field label="Message to the author of a held story" hint={`Default: “${ruleTexts.defaultMessage}”`} error={errors.message}>
        <TextArea name="message" rows={3} maxLength={ruleLimits.message} defaultValue={values.message} />
      </Field>
    </div>
  );
}
