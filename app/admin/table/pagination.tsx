import type { ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { ChevronLeft, ChevronRight } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { fullCount } from "#domain/format.ts";

type PaginationProps = {
  /** The first page is 1. */
  page: number;
  pageSize: number;
  shown: number;
  total: number;
  isMore?: boolean;
  /** Singular: `post`. */
  noun: string;
  hrefOf: (page: number) => string;
};

const step = "inline-flex h-9 items-center justify-center gap-2 rounded-md px-3 text-sm font-medium max-lg:h-11";

/** `Showing 1 to 20 of 164 posts`; Previous, up to five numbers around the current page, Next (messaging and administration §2, §9). */
export function Pagination({ page, pageSize, shown, total, isMore = false, noun, hrefOf }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const start = (page - 1) * pageSize;
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  const numbers = Array.from({ length: Math.min(5, pages) }, (_, index) => first + index);
  return (
    <nav
      aria-label="Pagination"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 text-sm lg:px-5"
    >
      <span className="num text-ink-2">
        Showing {fullCount(start + 1)} to {fullCount(start + shown)} of {fullCount(total)}
        {isMore && "+"} {total === 1 && !isMore ? noun : `${noun}s`}
      </span>
      {pages > 1 && (
        <div className="flex items-center gap-1">
          <Step to={page > 1 ? hrefOf(page - 1) : undefined}>
            <ChevronLeft aria-hidden className="size-4" />
            Previous
          </Step>
          <span className="flex gap-1 max-sm:hidden">
            {numbers.map((number) => (
              <Link
                key={number}
                to={hrefOf(number)}
                preventScrollReset
                aria-label={`Page ${number}`}
                aria-current={number === page ? "page" : undefined}
                className={classNames(
                  "num inline-flex h-9 min-w-9 items-center justify-center rounded-md px-1.5 text-sm font-medium max-lg:h-11 max-lg:min-w-11",
                  number === page ? "bg-inverse text-on-inverse" : "text-ink-2 hover:bg-hover",
                )}
              >
                {number}
              </Link>
            ))}
          </span>
          <Step to={page < pages ? hrefOf(page + 1) : undefined}>
            Next
            <ChevronRight aria-hidden className="size-4" />
          </Step>
        </div>
      )}
    </nav>
  );
}

function Step({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined)
    return (
      <span aria-disabled className={classNames(step, "text-ink-2 opacity-45")}>
        {children}
      </span>
    );
  return (
    <Link to={to} preventScrollReset className={classNames(step, "text-ink-2 hover:bg-hover hover:text-ink")}>
      {children}
    </Link>
  );
}
