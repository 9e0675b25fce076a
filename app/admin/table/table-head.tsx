import type { ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";

export type Column = { label: ReactNode; align?: "right"; className?: string };

export function TableHead({ columns }: { columns: Column[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-left">
        {columns.map(({ label, align, className }, index) => (
          <th
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are.
            key={index}
            scope="col"
            className={classNames(
              "h-11 px-3 text-sm font-medium whitespace-nowrap text-ink-2",
              index === 0 && "pl-5!",
              align === "right" && "text-right",
              className,
            )}
          >
            {label}
          </th>
        ))}
        <th scope="col" className="h-11 px-3 pr-5!">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}
