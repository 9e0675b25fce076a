import { useRoot } from "#app/shell/root-data.ts";
import { Mark } from "#app/ui/art/mark.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";

export function Wordmark({ className, siteName }: { className?: string | undefined; siteName?: string | undefined }) {
  const { name } = useRoot().site;
  return (
    <Link to="/" className={classNames("flex min-w-0 items-center gap-2 text-ink", className)}>
      <Mark className="h-[1.08em] shrink-0" />
      <span className="truncate pt-[0.12em] font-display font-[580] leading-none tracking-[-0.018em]">{siteName ?? name}</span>
    </Link>
  );
}
