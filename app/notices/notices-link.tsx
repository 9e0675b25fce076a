import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Bell } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

/** In the header of every screen while decisions or answers wait to be read; the specified header has no link otherwise. */
export function NoticesLink() {
  const { notices } = useRoot();
  if (notices === 0) return null;
  return (
    <Link
      to="/notices"
      title="Notices"
      className="relative inline-flex size-10 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink max-lg:size-11"
    >
      <Bell aria-hidden className="size-[18px] shrink-0" />
      <CounterBadge
        count={notices}
        label={notices === 1 ? "new notice" : "new notices"}
        className="absolute -top-0.5 left-5 h-[18px]! min-w-[18px]! px-1! text-2xs!"
      />
    </Link>
  );
}
