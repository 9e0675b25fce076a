import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { listVersions, readVersion, type VersionSummary, type VersionsOf } from "#domain/drafts/versions.server.ts";
import { renderVersion } from "#domain/posts/posts.server.ts";
import { readForEditing } from "#domain/posts/update-post.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { compareTexts, type Passage } from "./compare-texts.ts";

/** A version as readers would see it, compared with the version before it, or with the current text. */
export type HistoryView = "text" | "changes" | "since";

export type HistoryData = {
  versions: VersionSummary[];
  chosen: { id: string; title: string; html: string; view: HistoryView; passages: Passage[] } | null;
};

export type RequestedVersion = { version: string | null; show: string | null };

export function requestedVersion(query: URLSearchParams): RequestedVersion {
  return { version: query.get("version"), show: query.get("show") };
}

/** @throws as the verbs do: NotFound, NotAllowed. */
export async function loadHistory(site: Site, viewer: Viewer, of: VersionsOf, requested: RequestedVersion): Promise<HistoryData> {
  const versions = await listVersions(site, viewer, of);
  const id = requested.version ?? versions[0]?.id;
  if (!id) return { versions, chosen: null };
  const { title, markdown } = await readVersion(site, viewer, of, id);
  const before = versions[versions.findIndex((version) => version.id === id) + 1];
  if (requested.show === "changes" && before) {
    const passages = compareTexts((await readVersion(site, viewer, of, before.id)).markdown, markdown);
    return { versions, chosen: { id, title, html: "", view: "changes", passages } };
  }
  if (requested.show === "since") {
    const { content } = await ("postId" in of ? readForEditing(site, viewer, of.postId) : readWorkingCopy(site, viewer, of.copyId));
    return { versions, chosen: { id, title, html: "", view: "since", passages: compareTexts(markdown, content) } };
  }
  return { versions, chosen: { id, title, html: await renderVersion(site, viewer, markdown), view: "text", passages: [] } };
}
