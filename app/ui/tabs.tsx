import { parsePath, useLocation, useNavigation } from "react-router";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { Link, type To } from "./link.tsx";

export type Tab = { to: To; label: string; current: boolean; count?: number | undefined; icon?: Icon | undefined };

export function Tabs({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string | undefined }) {
  return (
    <nav aria-label={label} className={classNames("border-b border-line", className)}>
      <ul className="-mb-px flex gap-6 overflow-x-auto [scrollbar-width:none] sm:gap-8">
        {tabs.map((tab) => (
          <li key={tab.label} ref={tab.current ? scrollToTab : null}>
            <TabLink {...tab} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Already marked while its page is loading. */
function TabLink({ to, label, current, count, icon: IconComponent }: Tab) {
  const here = useLocation().pathname;
  const { location } = useNavigation();
  const isLoading = !current && location !== undefined && urlOf(to, here) === location.pathname + location.search;
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={current ? "page" : undefined}
      className={classNames(
        "relative -mx-1.5 flex h-12 items-center gap-2 whitespace-nowrap px-1.5 text-base -outline-offset-2",
        current ? "font-semibold" : "font-medium",
        current || isLoading ? "text-ink" : "text-ink-2 hover:text-ink",
      )}
    >
      {IconComponent && <IconComponent aria-hidden className="size-4 shrink-0" />}
      {label}
      {count !== undefined && <Count current={current}>{count}</Count>}
      {(current || isLoading) && (
        <span aria-hidden className={classNames("absolute inset-x-1.5 bottom-0 h-0.5 bg-accent", isLoading && "opacity-50")} />
      )}
    </Link>
  );
}

function urlOf(to: To, here: string): string {
  const { pathname = here, search = "" } = typeof to === "string" ? parsePath(to) : to;
  return pathname + search;
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

/** `scrollIntoView` would scroll the page, too. */
function scrollToTab(tab: HTMLLIElement | null) {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const from = tab.offsetLeft - row.offsetLeft;
  if (from < row.scrollLeft || from + tab.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = from;
}
