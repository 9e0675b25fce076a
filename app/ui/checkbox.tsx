import { type ComponentProps, useEffect, useRef } from "react";
import { Check, Minus } from "./icons.tsx";

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & {
  label: string;
  mixed?: boolean | undefined;
};

export function Checkbox({ label, mixed = false, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    // With forced colors an icon shows the color of what is around it, but keeps its own.
    <span className="relative inline-flex size-[18px] shrink-0 align-middle text-on-accent before:absolute before:-inset-2.5 before:content-['']">
      <input
        {...rest}
        ref={box}
        type="checkbox"
        aria-label={label}
        className="peer relative size-full cursor-pointer appearance-none rounded-xs border border-control bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent"
      />
      <Check
        aria-hidden
        className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 peer-checked:block peer-indeterminate:hidden"
      />
      <Minus aria-hidden className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 peer-indeterminate:block" />
    </span>
  );
}
