import { useWaiting } from "#app/live/waiting.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Bell } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

/** In the header of every screen of a member. */
export function BellLink() {
  const { viewer } = useRoot();
  const { notifications } = useWaiting();
  if (!viewer) return null;
  return (
    <Link
      to="/notifications"
      title="Notifications"
      className="relative inline-flex size-10 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink max-lg:size-11"
    >
      <Bell aria-hidden className="size-[18px] shrink-0" />
      <span className="sr-only">Notifications </span>
      <CounterBadge count={notifications} label="unread" className="absolute -top-0.5 left-5 h-[18px]! min-w-[18px]! px-1! text-2xs!" />
    </Link>
  );
}
