type MarkProps = {
  className?: string | undefined;
  /** If a page has two marks, the second reuses the first. */
  twice?: "drawn" | "copied" | undefined;
};

export function Mark({ className, twice }: MarkProps) {
  return (
    <svg viewBox="9 2 46 60" className={className} aria-hidden="true">
      {twice === "copied" ? <use href="#mark" /> : <Drawing id={twice && "mark"} />}
    </svg>
  );
}

function Drawing({ id }: { id: string | undefined }) {
  return (
    <g id={id}>
      <path
        fill="currentColor"
        fillRule="evenodd"
        d="M32 3 41 13.2V8.6A1.6 1.6 0 0 1 42.6 7h4A1.6 1.6 0 0 1 48.2 8.6V21.6L49.4 23A22.5 22.5 0 1 1 14.6 23ZM25 50V39a7 7 0 0 1 14 0V50Z"
      />
      <path fill="var(--accent)" d="M25 50V39a7 7 0 0 1 14 0V50Z" />
    </g>
  );
}
