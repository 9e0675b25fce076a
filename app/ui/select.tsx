import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { useFieldProps } from "./field.tsx";
import { ChevronDown } from "./icons.tsx";

type SelectProps = Omit<ComponentProps<"select">, "children"> & {
  label?: string | undefined;
  options: readonly { value: string; label: string }[];
};

/** Without `label` only within a `Field`. */
export function Select({ label, options, className, ...rest }: SelectProps) {
  const fieldProps = useFieldProps();
  return (
    <span className={classNames("relative inline-flex", className)}>
      <select
        {...(label ? { "aria-label": label } : fieldProps)}
        {...rest}
        className="h-10 max-lg:h-11 w-full appearance-none rounded-md border border-control bg-raised pr-9 pl-3 text-base text-ink focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-accent"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-3" />
    </span>
  );
}
