import type { ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";

export type Column = { label: ReactNode; align?: "right"; className?: string };

type ListTableProps = {
  caption: string;
  columns: Column[];
  /** The last column. */
  actions?: Column;
  hasFixedWidths?: boolean;
  rows: ReactNode;
  items: ReactNode;
};

/** A table on wide screens, a list on narrow ones. */
export function ListTable({ caption, columns, actions = actionsColumn, hasFixedWidths, rows, items }: ListTableProps) {
  return (
    <>
      <table className={classNames("hidden w-full text-base lg:table", hasFixedWidths && "table-fixed")}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-left">
            {[...columns, actions].map(({ label, align, className }, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order.
                key={index}
                scope="col"
                className={classNames(
                  "h-11 px-3 text-sm font-medium whitespace-nowrap text-ink-2",
                  index === 0 && "pl-5!",
                  index === columns.length && "pr-5!",
                  align === "right" && "text-right",
                  className,
                )}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
      <ul className="lg:hidden">{items}</ul>
    </>
  );
}

const actionsColumn: Column = { label: <span className="sr-only">Actions</span> };
