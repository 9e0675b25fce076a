import { classNames } from "./class-names.ts";
import { LoaderCircle } from "./icons.tsx";

export function Spinner({ label, className }: { label?: string | undefined; className?: string | undefined }) {
  const icon = <LoaderCircle aria-hidden className={classNames("size-4 shrink-0 animate-spin", className)} />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex items-center gap-2 text-base text-ink-2">
      {icon}
      {label}
    </span>
  );
}
