import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** `needs`: the extra field for this choice, which the form shows by CSS. */
export type RadioCard<Value extends string> = { value: Value; label: string; note: string; needs?: string };

type RadioCardsProps<Value extends string> = {
  name: string;
  cards: readonly RadioCard<Value>[];
  input: (value: Value) => Pick<ComponentProps<"input">, "required" | "checked" | "defaultChecked" | "onChange">;
  className: string;
};

export function RadioCards<Value extends string>({ name, cards, input, className }: RadioCardsProps<Value>) {
  return (
    <div className={classNames("grid gap-2", className)}>
      {cards.map(({ value, label, note, needs }) => (
        <label
          key={value}
          className="cursor-pointer rounded-md border border-line-strong bg-raised p-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <span className="flex items-center gap-2 text-base font-medium">
            <input
              type="radio"
              name={name}
              value={value}
              data-needs={needs}
              className="size-4 accent-accent outline-none"
              {...input(value)}
            />
            {label}
          </span>
          <span className="mt-1 block text-sm text-ink-2">{note}</span>
        </label>
      ))}
    </div>
  );
}
