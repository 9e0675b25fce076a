/** `needs`: the extra field for this choice, which the form shows by CSS. */
type Choice = { value: string; label: string; note: string; needs?: string };

export function ChoiceList({
  name,
  legend,
  choices,
  chosen,
}: {
  name: string;
  legend: string;
  choices: Choice[];
  chosen?: string | undefined;
}) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ value, label, note, needs }) => (
          <label
            key={value}
            className="cursor-pointer rounded-md border bg-raised border-line-strong p-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span className="flex items-center gap-2 text-base font-medium">
              <input
                type="radio"
                name={name}
                value={value}
                data-needs={needs}
                required
                defaultChecked={value === chosen}
                className="size-4 accent-accent outline-none"
              />
              {label}
            </span>
            <span className="mt-1 block text-sm text-ink-2">{note}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
