import type { ReactNode } from "react";
import { useMay } from "#app/admin/shell/use-may.ts";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowRight } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Action } from "#domain/permissions.ts";

type PanelProps = {
  title: string;
  more?: { to: string; label: string; needs: Action };
  aside?: string;
  className?: string | undefined;
  children: ReactNode;
};

export function DashboardPanel({ title, more, aside, className, children }: PanelProps) {
  const may = useMay();
  return (
    <section className={classNames("min-w-0 rounded-lg border border-line bg-raised", className)} aria-label={title}>
      <div className="flex min-h-12 items-center justify-between gap-3 px-5 pt-3 lg:px-6">
        <h2 className="display text-t2">{title}</h2>
        {aside && <p className="num text-sm text-ink-2">{aside}</p>}
        {more && may(more.needs) && (
          <Link
            to={more.to}
            className="inline-flex min-h-8 items-center text-sm font-medium text-accent-ink hover:underline max-lg:min-h-11"
          >
            {more.label} <ArrowRight aria-hidden className="ml-1 size-3.5 shrink-0" />
          </Link>
        )}
      </div>
      <div className="p-5 pt-3 lg:p-6 lg:pt-3">{children}</div>
    </section>
  );
}
