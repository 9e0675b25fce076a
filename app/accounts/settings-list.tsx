import type { ReactNode } from "react";
import { Badge } from "#app/ui/badge.tsx";
import type { Icon } from "#app/ui/icon.ts";

export function SettingsList({ className = "", children }: { className?: string; children: ReactNode }) {
  return <ul className={`rounded-lg border border-line bg-raised ${className}`}>{children}</ul>;
}

type SettingsRowProps = { icon: Icon; title: string; isThisDevice?: boolean; details: ReactNode; children: ReactNode };

/** `children`: the buttons at the end of the row. */
export function SettingsRow({ icon: Mark, title, isThisDevice = false, details, children }: SettingsRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4 first:border-t-0">
      <Mark aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          <span className="min-w-0">{title}</span>
          {isThisDevice && (
            <Badge tone="success" dot="solid">
              This device
            </Badge>
          )}
        </p>
        <p className="num text-sm text-ink-2">{details}</p>
      </div>
      {children}
    </li>
  );
}
