import { classNames } from "./class-names.ts";

export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={classNames("skeleton", className)} />;
}

export function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all are alike and never move.
    <div key={index} aria-hidden>
      <Skeleton className="aspect-[1200/630] rounded-lg!" />
      <div className="mt-4 flex items-center gap-2">
        <Skeleton className="size-6 rounded-full!" />
        <Skeleton className="h-3 w-28" />
      </div>
      <Skeleton className="mt-4 h-5 w-11/12" />
      <Skeleton className="mt-2 h-5 w-2/3" />
      <Skeleton className="mt-4 h-3.5 w-full" />
      <Skeleton className="mt-2 h-3.5 w-10/12" />
      <div className="mt-4 flex gap-4">
        <Skeleton className="h-3 w-20" />
        <Skeleton className="h-3 w-20" />
      </div>
    </div>
  ));
}

export function RowSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: all are alike and never move.
      key={index}
      aria-hidden
      className="grid grid-cols-[minmax(0,1fr)_104px] gap-4 border-b border-line py-6 sm:grid-cols-[minmax(0,1fr)_248px] sm:gap-10 sm:py-7"
    >
      <div>
        <Skeleton className="h-3 w-28" />
        <Skeleton className="mt-4 h-6 w-8/12" />
        <Skeleton className="mt-4 h-3.5 w-10/12 max-sm:hidden" />
        <Skeleton className="mt-4 h-3 w-40" />
      </div>
      <Skeleton className="aspect-[4/3] rounded-lg! sm:aspect-[1200/630]" />
    </div>
  ));
}
