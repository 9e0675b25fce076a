import { listVersions, readVersion, type VersionListing, type VersionsOf } from "#domain/drafts/versions.server.ts";
import { versionContent } from "#domain/posts/posts.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { compareTexts, type Passage } from "./compare-texts.ts";

/** A history as its screen shows it: every version, and one of them, as readers would see it or compared with the one before. */
export type HistoryData = {
  versions: VersionListing[];
  chosen: { id: string; title: string; html: string; changes: Passage[] | null } | null;
};

export type AskedVersion = { version: string | null; show: string | null };

export function askedVersion(query: URLSearchParams): AskedVersion {
  return { version: query.get("version"), show: query.get("show") };
}

/** @throws as the verbs do: NotFound, NotAllowed. */
export async function loadHistory(site: Site, viewer: Viewer, of: VersionsOf, asked: AskedVersion): Promise<HistoryData> {
  const versions = await listVersions(site, viewer, of);
  const id = asked.version ?? versions[0]?.id;
  if (!id) return { versions, chosen: null };
  const { title, markdown } = await readVersion(site, viewer, of, id);
  const before = versions[versions.findIndex((version) => version.id === id) + 1];
  if (asked.show === "changes" && before) {
    const changes = compareTexts((await readVersion(site, viewer, of, before.id)).markdown, markdown);
    return { versions, chosen: { id, title, html: "", changes } };
  }
  return { versions, chosen: { id, title, html: await versionContent(site, viewer, markdown), changes: null } };
}
