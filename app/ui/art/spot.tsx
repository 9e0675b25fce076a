import spots from "./spots.svg?no-inline";

/** `write`: nothing written; `read`: nothing to read; `spill`: an error. */
export type SpotName = "write" | "read" | "search" | "bookmark" | "pin" | "messages" | "people" | "calm" | "spill";

/** A small drawing in the colors of the theme, from one file that browsers cache. */
export function Spot({ name, className = "w-32" }: { name: SpotName; className?: string | undefined }) {
  return (
    <svg viewBox={name === "spill" ? "20 108 384 146" : "0 0 160 120"} className={className} aria-hidden="true">
      <use href={`${spots}#${name}`} />
    </svg>
  );
}

/** Caches the drawings for error pages shown while offline. */
export function fetchSpots(): void {
  void fetch(spots).catch(() => undefined);
}
