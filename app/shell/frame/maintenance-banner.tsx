import { useRoot } from "#app/shell/root-data.ts";
import { Construction } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { mayOnStaff } from "#domain/permissions.ts";

/** Reminds those who still get in, on every page, that everybody else does not. */
export function MaintenanceBanner() {
  const { viewer, site } = useRoot();
  if (!viewer?.staff || !site.underMaintenance) return null;
  return (
    <section aria-label="Maintenance mode" className="border-b border-warning-line bg-warning-soft text-warning">
      <p className={`${column} flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-base`}>
        <Construction aria-hidden className="size-[18px] shrink-0 max-sm:hidden" />
        <span className="min-w-0 flex-1 basis-64">Maintenance mode is on. Visitors and members see a message instead of the site.</span>
        {mayOnStaff(viewer.staff, "change settings") && (
          <Link to="/admin/settings#maintenanceMode" className="font-medium underline underline-offset-4">
            Settings
          </Link>
        )}
      </p>
    </section>
  );
}
