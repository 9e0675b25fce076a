import type { HomeFigures } from "#domain/pages/home.server.ts";
import { minutes } from "#platform/time.ts";

/** For how long the figures are remembered, in milliseconds (specification §9). */
export const figuresMaxAgeMs = minutes(2);

const keyOf = (userId: string) => `home-stats:${userId}`;

/** What this tab remembers of someone's figures; undefined when that is too old or was never there. */
export function recallFigures(userId: string): HomeFigures | undefined {
  try {
    const { at, figures } = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? "null") as { at: number; figures: HomeFigures };
    const age = Date.now() - at;
    return age >= 0 && age < figuresMaxAgeMs ? figures : undefined;
  } catch {
    return undefined;
  }
}

/** Those that are remembered already keep their time. */
export function rememberFigures(userId: string, figures: HomeFigures): void {
  if (JSON.stringify(recallFigures(userId)) === JSON.stringify(figures)) return;
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify({ at: Date.now(), figures }));
  } catch {
    // A browser that keeps nothing asks each time.
  }
}

export function forgetFigures(userId: string): void {
  sessionStorage.removeItem(keyOf(userId));
}

/** The figures as remembered, else from the server; null when that can't be reached, for then the page shows dashes. */
export async function loadFigures(userId: string): Promise<HomeFigures | null> {
  const remembered = recallFigures(userId);
  if (remembered) return remembered;
  const response = await fetch("/home/figures", { headers: { accept: "application/json" } }).catch(() => undefined);
  if (!response?.ok) return null;
  const figures = (await response.json().catch(() => null)) as HomeFigures | null;
  if (!figures) return null;
  rememberFigures(userId, figures);
  return figures;
}
