import { createContext, useContext, useEffect } from "react";
import type { EntryContext } from "react-router";
import { whenIdle } from "#app/shell/when-idle.ts";
import { fetchSpots } from "#app/ui/art/spot.tsx";
import { loadPanels } from "#app/ui/panels/panels.ts";

export const readersPages = ["pages/index-page", "posts/post-page", "posts/lists/all-posts-page", "profiles/profile-page"];

/** Filled by entry.server; in the browser the addresses are read from the page. */
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
 * Has the code of readers' pages fetched once the browser has nothing else to do. Without it the router answers a link that
 * is followed without a connection by loading the whole document, and the reader would see the browser's own error page.
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

/** What was asked for is loaded first, and nothing more where people pay for each byte. */
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
  const addresses: string[] = JSON.parse(document.getElementById("prefetch")?.textContent || "[]");
  for (const href of addresses) {
    if (document.querySelector(`link[rel=modulepreload][href="${href}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}
