import type { ReactNode } from "react";
import { Check } from "./icons.tsx";

type SwitchProps = { name: string; label: string; hint?: ReactNode; defaultChecked: boolean; onChange?: (checked: boolean) => void };

/** Posts `on`, also without JavaScript. */
export function Switch({ name, label, hint, defaultChecked, onChange }: SwitchProps) {
  const hintId = `${name}-hint`;
  return (
    <label className="flex cursor-pointer items-center justify-between gap-6 border-t border-line py-3.5 first:border-t-0 first:pt-0 last:pb-0">
      <span className="min-w-0">
        <span id={`${name}-label`} className="block text-base font-medium">
          {label}
        </span>
        {hint && (
          <span id={hintId} className="block text-sm text-ink-2">
            {hint}
          </span>
        )}
      </span>
      <span className="relative h-6 w-11 shrink-0">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own.
          role="switch"
          id={name}
          name={name}
          defaultChecked={defaultChecked}
          {...(onChange && { onChange: (event) => onChange(event.target.checked) })}
          aria-labelledby={`${name}-label`}
          {...(hint ? { "aria-describedby": hintId } : {})}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full bg-control transition-[color,background-color,border-color] checked:bg-inverse"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-0.5 left-0.5 flex size-5 items-center justify-center rounded-full bg-raised text-transparent shadow-sm transition-transform peer-checked:translate-x-5 peer-checked:bg-on-inverse peer-checked:text-inverse"
        >
          <Check className="size-3" strokeWidth={3} />
        </span>
      </span>
    </label>
  );
}
