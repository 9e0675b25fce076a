import { useWaiting } from "#app/live/waiting.tsx";
import { notificationsLink } from "#app/shell/frame/navigation.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Bell } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

export function BellLink() {
  const { viewer } = useRoot();
  const { notifications } = useWaiting();
  if (!viewer) return null;
  return (
    <Link to={notificationsLink.to} title={notificationsLink.label} className="square button md ghost relative">
      <Bell aria-hidden />
      <span className="sr-only">{`${notificationsLink.label} `}</span>
      <CounterBadge count={notifications} label="unread" className="in-corner" />
    </Link>
  );
}
