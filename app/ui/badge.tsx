import type { ReactNode } from "react";
import { unreadBadge } from "#domain/format.ts";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger" | "info" | "solid";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-sunken text-ink-2",
  accent: "bg-accent-soft text-accent-ink",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
  info: "bg-info-soft text-info",
  solid: "bg-accent text-on-accent font-semibold tracking-[.04em]",
};

type BadgeProps = {
  tone?: BadgeTone | undefined;
  icon?: Icon | undefined;
  /** Solid for active, hollow for inactive, so that the state doesn't depend on color. */
  dot?: "solid" | "hollow" | undefined;
  className?: string | undefined;
  children: ReactNode;
};

export function Badge({ tone = "neutral", icon: IconComponent, dot, className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex h-[22px] items-center gap-1 whitespace-nowrap rounded-sm px-2 text-xs font-medium",
        tones[tone],
        className,
      )}
    >
      {IconComponent && <IconComponent aria-hidden className="size-3 shrink-0" />}
      {dot && (
        <span
          aria-hidden
          className={classNames("size-1.5 shrink-0 rounded-full", dot === "solid" ? "bg-current" : "border border-current")}
        />
      )}
      {children}
    </span>
  );
}

/** Empty at zero, 99+ above 99. */
export function CounterBadge({ count, label, className }: { count: number; label?: string | undefined; className?: string | undefined }) {
  if (count <= 0) return null;
  return (
    <span className={classNames("counter", className)}>
      {unreadBadge(count)}
      {label && <span className="sr-only">{` ${label}`}</span>}
    </span>
  );
}
