import spots from "./spots.svg?no-inline";

/** Which drawing: write (nothing written), read (nothing to read), search, bookmark, pin, messages, people, calm, spill (failed). */
export type SpotName = "write" | "read" | "search" | "bookmark" | "pin" | "messages" | "people" | "calm" | "spill";

/** A small drawing in the colours of the theme, taken from one shared file so that no page carries it. */
export function Spot({ name, className = "w-32" }: { name: SpotName; className?: string | undefined }) {
  return (
    <svg viewBox={name === "spill" ? "20 108 384 146" : "0 0 160 120"} className={className} aria-hidden="true">
      <use href={`${spots}#${name}`} />
    </svg>
  );
}

/** Lets the browser keep the drawings for a page that has to say that the connection is gone. */
export function fetchSpots(): void {
  void fetch(spots).catch(() => undefined);
}
