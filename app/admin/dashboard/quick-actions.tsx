import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { ArrowRight, ChartColumn, Flag, Newspaper, Users } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type Action, isRoleAllowed } from "#domain/permissions.ts";

type QuickAction = { to: string; label: string; icon: Icon; needs: Action; count?: number; countLabel?: string };

export function QuickActions({ drafts }: { drafts: number }) {
  const { viewer, reports } = useRoot();
  const all: QuickAction[] = [
    { to: "/admin/users", label: "Manage Users", icon: Users, needs: "list members" },
    {
      to: "/admin/posts?status=inactive",
      label: "Review Posts",
      icon: Newspaper,
      needs: "read a draft",
      count: drafts,
      countLabel: drafts === 1 ? "draft" : "drafts",
    },
    { to: "/admin/analytics", label: "View Analytics", icon: ChartColumn, needs: "see analytics" },
    {
      to: "/admin/reports",
      label: "Check Reports",
      icon: Flag,
      needs: "handle reports",
      count: reports,
      countLabel: reports === 1 ? "waiting report" : "waiting reports",
    },
  ];
  const actions = all.filter(({ needs }) => isRoleAllowed(viewer?.staff, needs));
  return (
    <section className="mt-6" aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="display text-t2">
        Quick Actions
      </h2>
      <ul className="mt-3 grid grid-cols-2 gap-3 xl:grid-cols-4">
        {actions.map(({ to, label, icon: IconComponent, count = 0, countLabel = "" }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-14 items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 text-base leading-5 font-medium hover:border-control sm:gap-3 sm:px-4"
            >
              <IconComponent aria-hidden className="size-5 shrink-0 text-accent-ink" />
              <span className="flex-1">{label}</span>
              {count > 0 ? (
                <CounterBadge count={count} label={countLabel} />
              ) : (
                <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
