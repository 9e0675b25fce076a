import { ButtonLink } from "./button.tsx";
import { ArrowLeft, ArrowRight } from "./icons.tsx";

type CursorNavProps = {
  /** Where this page begins; empty or null on the first one. */
  after: string | null;
  next: string | null;
  /** The address of the page that begins at a cursor; the first one's is empty. */
  hrefOf: (cursor: string) => string;
};

export function CursorNav({ after, next, hrefOf }: CursorNavProps) {
  return (
    <nav aria-label="Pages" className="mt-5 flex justify-between gap-3">
      {after ? (
        <ButtonLink to={hrefOf("")} icon={ArrowLeft}>
          Newest
        </ButtonLink>
      ) : (
        <span />
      )}
      {next && (
        <ButtonLink to={hrefOf(next)} iconAfter={ArrowRight}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
