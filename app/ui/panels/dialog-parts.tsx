import type { ReactNode } from "react";

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex justify-end gap-2 max-sm:*:flex-1">{children}</div>;
}

export const scrim = "fixed inset-0 z-(--z-scrim) bg-(--scrim)";
export const sheet =
  "fixed top-1/2 left-1/2 z-(--z-dialog) max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[440px] -translate-1/2 overflow-y-auto rounded-xl border border-line bg-overlay p-6 shadow-lg";
