import type { ReactNode } from "react";

type CheckboxOptionProps = { name: string; value: string; checked: boolean; label: string; hint: ReactNode };

/** One of several checkboxes in a form. */
export function CheckboxOption({ name, value, checked, label, hint }: CheckboxOptionProps) {
  return (
    <label className="flex min-h-11 items-start gap-3 py-1.5">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} className="mt-1 size-[18px] shrink-0 accent-accent" />
      <span>
        <span className="block text-base">{label}</span>
        <span className="block text-sm text-ink-2">{hint}</span>
      </span>
    </label>
  );
}
