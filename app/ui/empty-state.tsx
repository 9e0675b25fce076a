import type { ReactNode } from "react";
import { Spot, type SpotName } from "./art/spot.tsx";
import { classNames } from "./class-names.ts";

type EmptyStateProps = {
  art: SpotName;
  title: string;
  text?: ReactNode;
  heading?: "h1" | "h2" | "h3" | undefined;
  className?: string | undefined;
  /** Whether it fills a whole pane. */
  large?: boolean | undefined;
  /** At most two buttons. */
  children?: ReactNode;
};

export function EmptyState({ art, title, text, heading: Heading = "h2", className, large = false, children }: EmptyStateProps) {
  return (
    <div className={classNames("flex flex-col items-center px-5 py-9 text-center", className)}>
      <Spot name={art} className={art === "spill" ? "w-36" : large ? "w-44" : "w-32"} />
      <Heading className={classNames("display mt-4", large ? "text-t2" : "text-t1")}>{title}</Heading>
      {text && <p className="mt-2 max-w-sm text-balance text-base text-ink-2">{text}</p>}
      {children && <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
