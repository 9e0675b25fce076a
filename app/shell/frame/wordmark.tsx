import { useRoot } from "#app/shell/root-data.ts";
import { Mark } from "#app/ui/art/mark.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";

type WordmarkProps = {
  className?: string | undefined;
  siteName?: string | undefined;
  /** For pages with header and footer: the second mark reuses the first. */
  twice?: "drawn" | "copied" | undefined;
};

export function Wordmark({ className, siteName, twice }: WordmarkProps) {
  const { name } = useRoot().site;
  return (
    <Link to="/" className={classNames("wordmark", className)}>
      <Mark twice={twice} />
      <span>{siteName ?? name}</span>
    </Link>
  );
}
