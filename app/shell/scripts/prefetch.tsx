import { createContext, useContext, useEffect } from "react";
import type { EntryContext } from "react-router";
import { whenIdle } from "#app/shell/when-idle.ts";
import { fetchSpots } from "#app/ui/art/spot.tsx";
import { loadPanels } from "#app/ui/panels/panels.ts";

export const readersPages = ["pages/index-page", "posts/post-page", "posts/lists/all-posts-page", "profiles/profile-page"];

/** Set by entry.server; in the browser the URLs are read from the page. */
export const PrefetchContext = createContext<string[]>([]);

export function readersCode({ entry, routes }: EntryContext["manifest"]): string[] {
  const everywhere = [...entry.imports, ...filesOf(routes.root)];
  const files = new Set(readersPages.flatMap((id) => filesOf(routes[id])));
  return [...files].filter((file) => !everywhere.includes(file));
}

function filesOf(page: EntryContext["manifest"]["routes"][string]): string[] {
  if (!page) return [];
  const { module, clientActionModule, clientLoaderModule, clientMiddlewareModule, imports = [] } = page;
  return [module, clientActionModule, clientLoaderModule, clientMiddlewareModule, ...imports].filter((file) => file !== undefined);
}

/**
 * Prefetches the code of readers' pages when the browser is idle. Without the code, a link followed while offline makes the router load the
 * document, and the browser shows its own error page.
 */
export function Prefetch() {
  const code = useContext(PrefetchContext);
  useEffect(afterLoading, []);
  return (
    <script
      id="prefetch"
      type="application/json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: addresses of our own files.
      dangerouslySetInnerHTML={{ __html: JSON.stringify(code) }}
    />
  );
}

/** Waits for the page itself to load. Does nothing if the browser saves data. */
function afterLoading() {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const later = () => whenIdle(fetchCode);
  if (document.readyState === "complete") return later();
  window.addEventListener("load", later, { once: true });
  return () => window.removeEventListener("load", later);
}

function fetchCode(): void {
  fetchSpots();
  loadPanels().catch(() => {});
  const urls: string[] = JSON.parse(document.getElementById("prefetch")?.textContent || "[]");
  for (const href of urls) {
    if (document.querySelector(`link[rel=modulepreload][href="${href}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}
