import { useEffect, useState } from "react";

async function load() {
  const panels = { ...(await import("./menu-panel.tsx")), ...(await import("./dialog-panel.tsx")) };
  panels.watchFocus();
  return panels;
}

export type Panels = Awaited<ReturnType<typeof load>>;

let loaded: Panels | undefined;

/** The code of menus, dialogs and the focus. Loaded when the page is idle, so that they also open offline. */
export async function loadPanels(): Promise<void> {
  loaded ??= await load();
}

/** Undefined until open and loaded. */
export function usePanels(open: boolean): Panels | undefined {
  const [, setTries] = useState(0);
  useEffect(() => {
    if (!open) return;
    // Renders again even if the code has already loaded: it may have arrived between the render and this effect.
    loadPanels().then(
      () => setTries((tries) => tries + 1),
      () => {},
    );
  }, [open]);
  return open ? loaded : undefined;
}

/** For components within an open panel. */
export function openPanels(): Panels {
  if (!loaded) throw new Error("no panel is open");
  return loaded;
}
