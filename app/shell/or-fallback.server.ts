import type { Site } from "#domain/site.ts";

/** `part`, or `nothing` when it can't be read: the rest of the page is shown without it (specification §8). */
export async function orFallback<Part, Nothing>(site: Site, part: Promise<Part>, nothing: Nothing): Promise<Part | Nothing> {
  try {
    return await part;
  } catch (error) {
    site.log.error({ err: error }, "a part of a page could not be read");
    return nothing;
  }
}
