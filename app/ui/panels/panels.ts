import { useEffect, useState } from "react";

const load = async () => ({ ...(await import("./menu-panel.tsx")), ...(await import("./dialog-panel.tsx")) });

export type Panels = Awaited<ReturnType<typeof load>>;

let loaded: Panels | undefined;

/** What menus and dialogs are made of. The page fetches it once it is idle, so that they open without a connection, too. */
export async function loadPanels(): Promise<void> {
  loaded ??= await load();
}

/** Undefined until something is open and its code has come. */
export function usePanels(open: boolean): Panels | undefined {
  const [, setTries] = useState(0);
  useEffect(() => {
    if (!open || loaded) return;
    // Without a connection it opens when it is asked for again.
    loadPanels().then(
      () => setTries((tries) => tries + 1),
      () => {},
    );
  }, [open]);
  return open ? loaded : undefined;
}

/** For what is only ever drawn within an open panel. */
export function openPanels(): Panels {
  if (!loaded) throw new Error("no panel is open");
  return loaded;
}
