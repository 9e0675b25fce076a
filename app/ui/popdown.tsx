import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";

type PopdownProps = { label: string; icon: Icon; className?: string | undefined; children: ReactNode };

export function Popdown({ label, icon: Drawing, className, children }: PopdownProps) {
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
      className={classNames("group relative", className)}
    >
      <summary
        aria-label={label}
        title={label}
        className="flex size-10 max-lg:size-11 list-none items-center justify-center rounded-md text-ink-2 transition-[color,background-color,border-color] hover:bg-hover hover:text-ink group-open:bg-hover group-open:text-ink [&::-webkit-details-marker]:hidden"
      >
        <Drawing aria-hidden className="size-[18px] shrink-0" />
      </summary>
      <div className="absolute top-full right-0 z-(--z-menu) mt-1.5 w-48 animate-pop rounded-lg border border-line bg-overlay p-1.5 text-base shadow-lg">
        {children}
      </div>
    </details>
  );
}
