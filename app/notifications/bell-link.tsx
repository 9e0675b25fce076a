import { NotificationsBadge } from "#app/live/unread-counts.tsx";
import { notificationsLink } from "#app/shell/frame/navigation.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Bell } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

export function BellLink() {
  const { viewer } = useRoot();
  if (!viewer) return null;
  return (
    <Link to={notificationsLink.to} title={notificationsLink.label} className="square button md ghost relative">
      <Bell aria-hidden />
      <span className="sr-only">{`${notificationsLink.label} `}</span>
      <NotificationsBadge className="in-corner" />
    </Link>
  );
}
