import type { ReactNode } from "react";

export function PlainPage({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-read px-4 pt-10 pb-16 sm:px-8 lg:pt-16 lg:pb-24 xl:px-0">
      <h1 className="display text-d1 lg:text-d2">{title}</h1>
      {lead && <p className="mt-4 text-pretty font-reading text-lg leading-[1.6]! text-ink-2">{lead}</p>}
      {children}
    </div>
  );
}
