import { fetchPicturesOfNextPost } from "#domain/posts/content.server.ts";
import type { Site } from "#domain/site.ts";

const batchPauseMs = 10_000;

export function fetchOldPictures(site: Site): () => void {
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = setTimeout(() => void work(), batchPauseMs).unref();
  };
  async function work(): Promise<void> {
    try {
      if (await fetchPicturesOfNextPost(site)) next();
    } catch (err) {
      site.log.warn({ err }, "an old story's pictures were not fetched");
      next();
    }
  }
  next();
  return () => clearTimeout(timer);
}
