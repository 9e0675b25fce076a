import type { Site, Viewer } from "#domain/site.ts";
import { setViews } from "./figures.server.ts";
import { setFeatured, setPinned } from "./moderation.server.ts";

export type Curation = { featured?: boolean | undefined; pinned?: boolean | undefined; views?: number | undefined };

/** For the API. @throws NotFound, Invalid. */
export async function curatePost(site: Site, viewer: Viewer, id: string, { featured, pinned, views }: Curation): Promise<void> {
  if (featured !== undefined) await setFeatured(site, viewer, id, featured);
  if (pinned !== undefined) await setPinned(site, viewer, id, pinned);
  if (views !== undefined) await setViews(site, viewer, id, views);
}
