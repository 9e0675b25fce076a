import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import type { LandingFigures } from "#domain/settings/settings.ts";

const choices: { value: LandingFigures; label: string; note: string }[] = [
  { value: "showcase", label: "Showcase", note: "Sample numbers, not your site’s" },
  { value: "live", label: "Live", note: "Your site’s own numbers" },
];

export function FiguresChoice({ value }: { value: string }) {
  return <ChoiceList name="landingFigures" legend="Landing figures" chosen={value} choices={choices} />;
}
