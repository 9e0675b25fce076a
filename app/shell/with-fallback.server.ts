import type { Site } from "#domain/site.ts";

/** Returns `fallback` if a part of the page can't be read, so that the rest is shown (specification §8). */
export async function withFallback<Part, Fallback>(site: Site, part: Promise<Part>, fallback: Fallback): Promise<Part | Fallback> {
  try {
    return await part;
  } catch (error) {
    site.log.error({ err: error }, "a part of a page could not be read");
    return fallback;
  }
}
