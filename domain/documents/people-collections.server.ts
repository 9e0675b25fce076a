import { type RawBuilder, type SqlBool, sql } from "kysely";
import { may } from "../permissions.ts";
import type { Viewer } from "../site.ts";
import type { Collection } from "./collection.ts";
import { attribute, attributes, byAge, byAgeAlone, column, nothing, somebodyElse } from "./collection-columns.ts";

const isOpen = sql<SqlBool>`not exists (select 1 from suspensions where suspensions."userId" = profiles."userId")`;

/** Of a suspended member only they themselves and administrators see it; a row of `suspensions` goes when its time is over. */
function readableProfiles(viewer: Viewer): RawBuilder<SqlBool> | undefined {
  if (!may(viewer, "see a profile")) return nothing;
  if (may(viewer, "moderate members")) return undefined;
  return viewer ? sql<SqlBool>`(${isOpen} or profiles."userId" = ${viewer.id})` : isOpen;
}

export const profiles: Collection = {
  source: sql`profiles`,
  id: column("profiles.userId"),
  sequence: column("profiles.createdAt"),
  createdAt: column("profiles.createdAt"),
  updatedAt: column("profiles.updatedAt"),
  ownerId: column("profiles.userId"),
  isPublic: isOpen,
  ties: [column("profiles.createdAt"), column("profiles.userId")],
  attributes: {
    ...attributes("text", "profiles", [
      "userId",
      "userName",
      "bio",
      "location",
      "website",
      "twitter",
      "github",
      "linkedIn",
      "profileImage",
    ]),
    // As it is called in one place of the specification.
    linkedin: attribute("text", "profiles.linkedIn"),
  },
  narrow: ["$id", "userId"],
  ordered: [...byAge, "$id", "userId"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  readable: readableProfiles,
};

/** Whom one follows, and by whom one is followed. */
export const follows: Collection = {
  source: sql`follows`,
  id: column("follows.id"),
  sequence: column("follows.createdAt"),
  createdAt: column("follows.createdAt"),
  updatedAt: column("follows.createdAt"),
  ownerId: column("follows.followerId"),
  isPublic: sql`false`,
  ties: [column("follows.createdAt"), column("follows.id")],
  attributes: attributes("text", "follows", ["followerId", "followedId"]),
  narrow: ["$id", "followerId", "followedId"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "see own follows", viewer.id)) return nothing;
    return sql<SqlBool>`(follows."followerId" = ${viewer.id} or follows."followedId" = ${viewer.id})`;
  },
};

/** Of one's own reports, and all of them for administrators. */
export const reports: Collection = {
  source: sql`reports`,
  id: column("reports.id"),
  sequence: column("reports.number"),
  createdAt: column("reports.createdAt"),
  updatedAt: column("reports.updatedAt"),
  ownerId: column("reports.reporterId"),
  isPublic: sql`false`,
  ties: [column("reports.number")],
  attributes: attributes("text", "reports", ["kind", "subjectId", "ownerId", "reporterId", "reason", "note", "excerpt", "status"]),
  narrow: ["$id", "ownerId", "reporterId"],
  ordered: [...byAge, "$id", "status"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (may(viewer, "see reports", somebodyElse)) return undefined;
    return viewer && may(viewer, "see reports", viewer.id) ? sql<SqlBool>`reports."reporterId" = ${viewer.id}` : nothing;
  },
};
