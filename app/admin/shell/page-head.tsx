import type { ReactNode } from "react";

export function PageHead({ title, line, children }: { title: string; line?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="display text-d1">{title}</h1>
        {line && <p className="num mt-1 text-base text-ink-2">{line}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:has-[fieldset]:grow">{children}</div>
    </div>
  );
}
