import { useRoot } from "#app/shell/root-data.ts";
import type { Icon } from "#app/ui/icon.ts";
import { Ban, Construction } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { longDate } from "#domain/dates.ts";
import { isRoleAllowed } from "#domain/permissions.ts";

/** Reminds administrators, on every page, that nobody else can use the site. */
export function MaintenanceBanner() {
  const { viewer, site } = useRoot();
  if (!viewer?.staff || !site.underMaintenance) return null;
  const text = "Maintenance mode is on. Everyone except administrators sees a message instead of the site.";
  const link = isRoleAllowed(viewer.staff, "change settings") && { to: "/admin/settings#maintenanceMode", label: "Settings" };
  return <WarningBanner label="Maintenance mode" icon={Construction} text={text} link={link} />;
}

export function SuspendedBanner() {
  const { viewer } = useRoot();
  if (!viewer?.suspendedUntil) return null;
  const until = `Your account is suspended until ${longDate(viewer.suspendedUntil)}.`;
  const text = `${until} Until then you can read, but you can’t publish, react or send messages.`;
  const link = { to: "/notifications?kind=decision", label: "Read why" };
  return <WarningBanner label="Your account is suspended" icon={Ban} text={text} link={link} />;
}

type WarningBannerProps = { label: string; icon: Icon; text: string; link: { to: string; label: string } | false };

function WarningBanner({ label, icon: IconComponent, text, link }: WarningBannerProps) {
  return (
    <section aria-label={label} className="border-b border-warning-line bg-warning-soft text-warning">
      <p className={`${column} flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-base`}>
        <IconComponent aria-hidden className="size-[18px] shrink-0 max-sm:hidden" />
        <span className="min-w-0 flex-1 basis-64">{text}</span>
        {link && (
          <Link to={link.to} className="font-medium underline underline-offset-4">
            {link.label}
          </Link>
        )}
      </p>
    </section>
  );
}
