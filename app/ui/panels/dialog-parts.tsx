import type { ReactNode } from "react";

/** Sticky in dialogs that are higher than the screen. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 -mx-6 mt-2 -mb-6 flex justify-end gap-2 bg-overlay px-6 pt-4 pb-6 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-overlay before:to-transparent max-sm:*:flex-1">
      {children}
    </div>
  );
}

export const scrim = "fixed inset-0 z-(--z-scrim) bg-(--scrim)";
export const sheet =
  "fixed top-1/2 left-1/2 z-(--z-dialog) max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[440px] -translate-1/2 scroll-pb-24 overflow-y-auto rounded-xl border border-line bg-overlay p-6 shadow-lg";
