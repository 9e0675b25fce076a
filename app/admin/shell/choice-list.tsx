import { type RadioCard, RadioCards } from "#app/ui/radio-cards.tsx";

type ChoiceListProps = { name: string; legend: string; choices: RadioCard<string>[]; chosen?: string | undefined };

export function ChoiceList({ name, legend, choices, chosen }: ChoiceListProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <RadioCards
        name={name}
        cards={choices}
        input={(value) => ({ required: true, defaultChecked: value === chosen })}
        className="sm:grid-cols-2"
      />
    </fieldset>
  );
}
