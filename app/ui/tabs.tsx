import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { Link, type To } from "./link.tsx";

export type Tab = { to: To; label: string; current: boolean; count?: number | undefined; icon?: Icon | undefined };

export function Tabs({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string | undefined }) {
  return (
    <nav aria-label={label} className={classNames("border-b border-line", className)}>
      <ul className="-mb-px flex gap-6 overflow-x-auto [scrollbar-width:none] sm:gap-8">
        {tabs.map((tab) => (
          <li key={tab.label} ref={tab.current ? bringIntoView : null}>
            <Link
              to={tab.to}
              preventScrollReset
              aria-current={tab.current ? "page" : undefined}
              className={classNames(
                "relative flex h-12 items-center gap-2 whitespace-nowrap text-base -outline-offset-2",
                tab.current ? "font-semibold text-ink" : "font-medium text-ink-2 hover:text-ink",
              )}
            >
              {tab.icon && <tab.icon aria-hidden className="size-4 shrink-0" />}
              {tab.label}
              {tab.count !== undefined && <Count current={tab.current}>{tab.count}</Count>}
              {tab.current && <span aria-hidden className="absolute inset-x-0 bottom-0 h-0.5 bg-accent" />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ current, children }: { current: boolean; children: number }) {
  return (
    <span
      className={classNames(
        "num inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-xs font-medium",
        current ? "bg-accent-soft text-accent-ink" : "bg-sunken text-ink-2",
      )}
    >
      <span className="sr-only">, </span>
      {children}
    </span>
  );
}

/** Sideways only: scrollIntoView would move the page as well. */
function bringIntoView(tab: HTMLLIElement | null) {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const from = tab.offsetLeft - row.offsetLeft;
  if (from < row.scrollLeft || from + tab.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = from;
}
