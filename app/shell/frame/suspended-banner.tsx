import { useRoot } from "#app/shell/root-data.ts";
import { Ban } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { longDate } from "#domain/dates.ts";

/** Tells a suspended member until when, and where the reason is. */
export function SuspendedBanner() {
  const { viewer } = useRoot();
  if (!viewer?.suspendedUntil) return null;
  return (
    <section aria-label="Your account is suspended" className="border-b border-warning-line bg-warning-soft text-warning">
      <p className={`${column} flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-base`}>
        <Ban aria-hidden className="size-[18px] shrink-0 max-sm:hidden" />
        <span className="min-w-0 flex-1 basis-64">
          Your account is suspended until {longDate(viewer.suspendedUntil)}. Until then you can read, but you can’t publish, react or send
          messages.
        </span>
        <Link to="/notifications?kind=decision" className="font-medium underline underline-offset-4">
          Read why
        </Link>
      </p>
    </section>
  );
}
