import type { ReactNode } from "react";
import { Panel } from "#app/ui/panel.tsx";

/** Labels and values of one record. `children`: what comes below them. */
export function Facts({ facts, children }: { facts: Record<string, ReactNode>; children?: ReactNode }) {
  return (
    <Panel className="mt-6 max-w-3xl p-5 lg:p-6">
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {Object.entries(facts).map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="num mt-0.5 text-base [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Panel>
  );
}
