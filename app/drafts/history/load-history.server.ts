import { listVersions, readVersion, type VersionListing, type VersionsOf } from "#domain/drafts/versions.server.ts";
import { versionContent } from "#domain/posts/posts.server.ts";
import type { Site, Viewer } from "#domain/site.ts";

/** A history as its screen shows it: every version, and one of them as readers would see it. */
export type HistoryData = { versions: VersionListing[]; chosen: { id: string; title: string; html: string } | null };

/** @throws as the verbs do: NotFound, NotAllowed. */
export async function loadHistory(site: Site, viewer: Viewer, of: VersionsOf, asked: string | null): Promise<HistoryData> {
  const versions = await listVersions(site, viewer, of);
  const id = asked ?? versions[0]?.id;
  if (!id) return { versions, chosen: null };
  const { title, markdown } = await readVersion(site, viewer, of, id);
  return { versions, chosen: { id, title, html: await versionContent(site, viewer, markdown) } };
}
