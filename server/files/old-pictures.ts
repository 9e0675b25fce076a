import { fetchForOldStory } from "#domain/posts/foreign-pictures.server.ts";
import type { Site } from "#domain/site.ts";

const batchPauseMs = 10_000;

/**
 * Fetches, story by story and slowly, the pictures from elsewhere of stories that were there before the site kept such
 * pictures itself. Ends by itself when there are no more. @returns what ends it before.
 */
export function fetchOldPictures(site: Site): () => void {
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = setTimeout(() => void work(), batchPauseMs).unref();
  };
  async function work(): Promise<void> {
    try {
      if (await fetchForOldStory(site)) next();
    } catch (err) {
      site.log.warn({ err }, "an old story's pictures were not fetched");
      next();
    }
  }
  next();
  return () => clearTimeout(timer);
}
