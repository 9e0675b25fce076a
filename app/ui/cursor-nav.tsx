import { ButtonLink } from "./button.tsx";
import { ArrowLeft, ArrowRight } from "./icons.tsx";

type CursorNavProps = {
  /** The cursor of this page; empty or null on the first. */
  after: string | null;
  next: string | null;
  /** An empty cursor is the first page. */
  hrefOf: (cursor: string) => string;
  labels?: { first: string; next: string };
};

const byAge = { first: "Newest", next: "Older" };

export function CursorNav({ after, next, hrefOf, labels = byAge }: CursorNavProps) {
  return (
    <nav aria-label="Pages" className="mt-5 flex justify-between gap-3">
      {after ? (
        <ButtonLink to={hrefOf("")} icon={ArrowLeft}>
          {labels.first}
        </ButtonLink>
      ) : (
        <span />
      )}
      {next && (
        <ButtonLink to={hrefOf(next)} iconAfter={ArrowRight}>
          {labels.next}
        </ButtonLink>
      )}
    </nav>
  );
}
