import type { LandingFigures } from "#domain/settings/settings.ts";

const choices: { value: LandingFigures; label: string; hint: string }[] = [
  { value: "showcase", label: "Showcase", hint: "Sample numbers, not your site’s" },
  { value: "live", label: "Live", hint: "Your site’s own numbers" },
];

export function FiguresChoice({ value }: { value: string }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">Landing figures</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line px-3.5 py-2.5 has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="landingFigures"
              value={choice.value}
              defaultChecked={choice.value === value}
              className="mt-1 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="block text-base font-medium">{choice.label}</span>
              <span className="block text-sm text-ink-2">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
