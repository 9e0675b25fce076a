import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { ArrowUpRight } from "./icons.tsx";
import { Link, type To } from "./link.tsx";

export function Panel({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={classNames("rounded-lg border border-line bg-raised", className)}>{children}</div>;
}

export const column = "mx-auto w-full max-w-page px-4 sm:px-8 xl:px-0";

export type Stat = { label: string; value: ReactNode; note?: ReactNode; icon?: Icon | undefined; to?: To | undefined };

/** Shows at most four numbers. */
export function Stats({ stats, className }: { stats: Stat[]; className?: string | undefined }) {
  return (
    <dl className={classNames("stats", className)}>
      {stats.map(({ icon: IconComponent, ...stat }, index) => (
        <div
          key={stat.label}
          className={classNames(
            index % 2 === 1 && "border-l",
            index % 4 >= 2 && "max-lg:border-t lg:border-l",
            stat.to !== undefined && "hover:bg-hover",
          )}
        >
          <dt>
            <span>
              {IconComponent && <IconComponent aria-hidden className="max-sm:hidden" />}
              {stat.to === undefined ? (
                stat.label
              ) : (
                <Link to={stat.to} className="stretched">
                  {stat.label}
                </Link>
              )}
            </span>
            {stat.to !== undefined && <ArrowUpRight aria-hidden />}
          </dt>
          <dd className="display num mt-2.5 text-t3 min-[380px]:text-d1">{stat.value}</dd>
          {stat.note && <dd className="note">{stat.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
