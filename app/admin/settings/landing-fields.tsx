import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import { Field, TextArea } from "#app/ui/field.tsx";
import type { LandingStatsSource, Settings } from "#domain/settings/settings.ts";

const choices: { value: LandingStatsSource; label: string; note: string }[] = [
  { value: "showcase", label: "Showcase", note: "Sample numbers, not your site’s" },
  { value: "live", label: "Live", note: "Your site’s own numbers" },
];

type LandingField = keyof Pick<Settings, "landingFigures" | "landingIntro" | "landingCommunity">;
type LandingFieldsProps = { values: Record<LandingField, string>; errors: Partial<Record<string, string | undefined>> };

/** Also on the setup page. */
export function LandingFields({ values, errors }: LandingFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <ChoiceList name="landingFigures" legend="Landing figures" chosen={values.landingFigures} choices={choices} />
      <Field id="landingIntro" label="Introduction" error={errors.landingIntro} hint="{name} stands for your site’s name.">
        <TextArea name="landingIntro" rows={3} defaultValue={values.landingIntro} className="min-h-0!" />
      </Field>
      <Field id="landingCommunity" label="About your community" error={errors.landingCommunity} hint="Shown under “Global Community”.">
        <TextArea name="landingCommunity" rows={2} defaultValue={values.landingCommunity} className="min-h-0!" />
      </Field>
    </div>
  );
}
