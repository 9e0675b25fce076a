import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";

type DropdownProps = { label: string; icon: Icon; className?: string | undefined; children: ReactNode };

export function Dropdown({ label, icon: IconComponent, className, children }: DropdownProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (event.target instanceof Node && !details.current?.contains(event.target)) setOpen(false);
    };
    for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, close);
    return () => {
      for (const type of ["pointerdown", "focusin"]) document.removeEventListener(type, close);
    };
  }, [open]);
  return (
    <details
      ref={details}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onSubmit={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        setOpen(false);
        details.current?.querySelector("summary")?.focus();
      }}
      className={classNames("dropdown", className)}
    >
      <summary aria-label={label} title={label} className="square button md ghost">
        <IconComponent aria-hidden />
      </summary>
      <div>{children}</div>
    </details>
  );
}
