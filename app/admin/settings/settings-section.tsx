import type { ReactNode } from "react";

export const twoColumnGrid = "grid gap-x-10 gap-y-4 lg:grid-cols-[250px_minmax(0,1fr)]";
export const panel = "min-w-0 rounded-lg border border-line bg-raised p-5 lg:p-6";

export function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={`${twoColumnGrid} border-t border-line py-7`}>
      <div>
        <h2 className="display text-t2">{title}</h2>
        <p className="mt-1 text-base text-ink-2">{text}</p>
      </div>
      <div className={panel}>{children}</div>
    </section>
  );
}
