import type { ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";
import type { Icon } from "#app/ui/icon.ts";

/** `exact`: the full number when `value` is shortened. */
export type Tile = { label: string; value: string; exact?: string | undefined; note?: ReactNode; icon: Icon };

const widths: Record<number, string> = { 3: "lg:grid-cols-3", 4: "lg:grid-cols-4", 5: "lg:grid-cols-5", 8: "lg:grid-cols-4" };

export function StatTiles({ tiles, className }: { tiles: Tile[]; className?: string | undefined }) {
  return (
    <dl
      className={classNames(
        "grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line",
        widths[tiles.length] ?? "lg:grid-cols-4",
        className,
      )}
    >
      {tiles.map(({ label, value, exact, note, icon: IconComponent }) => (
        <div key={label} className="row-span-3 grid grid-rows-subgrid bg-raised p-4 odd:last:max-lg:col-span-2 lg:px-5 lg:py-4">
          <dt className="flex items-start gap-2 text-sm text-ink-2">
            <IconComponent aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
            {label}
          </dt>
          <dd className="display num mt-1.5 text-t3" title={exact}>
            {value}
          </dd>
          {note && <dd className="num mt-0.5 text-sm text-ink-2">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
