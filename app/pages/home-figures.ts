import type { HomeFigures } from "#domain/pages/home.server.ts";
import { minutes } from "#platform/time.ts";

/** Specification §9. */
const figuresMaxAgeMs = minutes(2);

const keyOf = (userId: string) => `home-stats:${userId}`;

type CachedFigures = { at: number; figures: HomeFigures };

function read(userId: string): CachedFigures | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? "null") as CachedFigures | null;
  } catch {
    return null;
  }
}

function readCachedFigures(userId: string): HomeFigures | undefined {
  const remembered = read(userId);
  if (!remembered) return undefined;
  const age = Date.now() - remembered.at;
  return age >= 0 && age < figuresMaxAgeMs ? remembered.figures : undefined;
}

/** Unchanged figures keep their time: showing cached figures must not renew them. */
export function cacheFigures(userId: string, figures: HomeFigures): void {
  if (JSON.stringify(read(userId)?.figures) !== JSON.stringify(figures)) storeFigures(userId, figures);
}

function storeFigures(userId: string, figures: HomeFigures): void {
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify({ at: Date.now(), figures }));
  } catch {
    // Without storage they are requested each time.
  }
}

export function forgetFigures(userId: string): void {
  sessionStorage.removeItem(keyOf(userId));
}

/** Null when the server can’t be reached; the page then shows dashes. */
export async function loadFigures(userId: string): Promise<HomeFigures | null> {
  const remembered = readCachedFigures(userId);
  if (remembered) return remembered;
  const response = await fetch("/home/figures", { headers: { accept: "application/json" } }).catch(() => undefined);
  if (!response?.ok) return null;
  const figures = (await response.json().catch(() => null)) as HomeFigures | null;
  if (!figures) return null;
  storeFigures(userId, figures);
  return figures;
}
