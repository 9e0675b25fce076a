import { useRoot } from "#app/shell/root-data.ts";
import { Mark } from "#app/ui/art/mark.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";

export function Wordmark({ className, siteName }: { className?: string | undefined; siteName?: string | undefined }) {
  const { name } = useRoot().site;
  return (
    <Link to="/" className={classNames("wordmark", className)}>
      <Mark />
      <span>{siteName ?? name}</span>
    </Link>
  );
}
