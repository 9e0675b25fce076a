import { fetchPicturesOfNextPost } from "#domain/posts/content.server.ts";
import type { Site } from "#domain/site.ts";

const batchPauseMs = 10_000;

export function startFetchingOldPictures(site: Site): () => void {
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    timer = setTimeout(() => void fetchBatch(), batchPauseMs).unref();
  };
  async function fetchBatch(): Promise<void> {
    try {
      if (await fetchPicturesOfNextPost(site)) schedule();
    } catch (err) {
      site.log.warn({ err }, "an old story's pictures were not fetched");
      schedule();
    }
  }
  schedule();
  return () => clearTimeout(timer);
}
