import { type RawBuilder, type SqlBool, sql } from "kysely";
import { may } from "../permissions.ts";
import type { Viewer } from "../site.ts";
import { attribute, attributes, byAge, type Collection, column, noRows, otherMember } from "./collection.server.ts";

function readableProfiles(viewer: Viewer): RawBuilder<SqlBool> | undefined {
  if (!may(viewer, "see a profile")) return noRows;
  if (may(viewer, "moderate members")) return undefined;
  return viewer ? sql<SqlBool>`(${isNotSuspended} or profiles."userId" = ${viewer.id})` : isNotSuspended;
}

const isNotSuspended = sql<SqlBool>`not exists (select 1 from suspensions where suspensions."userId" = profiles."userId")`;

export const profiles: Collection = {
  source: sql`profiles`,
  id: column("profiles.userId"),
  sequence: column("profiles.createdAt"),
  createdAt: column("profiles.createdAt"),
  updatedAt: column("profiles.updatedAt"),
  ownerId: column("profiles.userId"),
  isPublic: isNotSuspended,
  tieBreakers: [column("profiles.createdAt"), column("profiles.userId")],
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
    // The specification has both spellings.
    linkedin: attribute("text", "profiles.linkedIn"),
  },
  selectiveAttributes: ["$id", "userId"],
  rangeIndexedAttributes: [...byAge, "$id", "userId"],
  readable: readableProfiles,
  mayReceive(viewer, { ownerId, isPublic }) {
    const owner = ownerId ?? "";
    return may(viewer, "see a profile", owner) && (isPublic || viewer?.id === owner || may(viewer, "moderate members"));
  },
};

export const follows: Collection = {
  source: sql`follows`,
  id: column("follows.id"),
  sequence: column("follows.createdAt"),
  createdAt: column("follows.createdAt"),
  updatedAt: column("follows.createdAt"),
  ownerId: column("follows.followerId"),
  isPublic: sql`false`,
  tieBreakers: [column("follows.createdAt"), column("follows.id")],
  attributes: attributes("text", "follows", ["followerId", "followedId"]),
  selectiveAttributes: ["$id", "followerId", "followedId"],
  rangeIndexedAttributes: [...byAge, "$id"],
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "see own follows", viewer.id)) return noRows;
    return sql<SqlBool>`(follows."followerId" = ${viewer.id} or follows."followedId" = ${viewer.id})`;
  },
  mayReceive: (viewer, { ownerId, attributes }) =>
    [ownerId, attributes.followedId].includes(viewer?.id ?? "") && may(viewer, "see own follows", viewer?.id),
};

export const reports: Collection = {
  source: sql`reports`,
  id: column("reports.id"),
  sequence: column("reports.number"),
  createdAt: column("reports.createdAt"),
  updatedAt: column("reports.updatedAt"),
  ownerId: column("reports.reporterId"),
  isPublic: sql`false`,
  tieBreakers: [column("reports.number")],
  attributes: attributes("text", "reports", ["kind", "subjectId", "ownerId", "reporterId", "reason", "note", "excerpt", "status"]),
  selectiveAttributes: ["$id", "ownerId", "reporterId"],
  rangeIndexedAttributes: [...byAge, "$id", "status"],
  isOwn: true,
  readable(viewer) {
    if (viewer && may(viewer, "see reports", otherMember))
      return sql<SqlBool>`(coalesce(reports."ownerId", '') <> ${viewer.id} or reports."reporterId" = ${viewer.id})`;
    return viewer && may(viewer, "see reports", viewer.id) ? sql<SqlBool>`reports."reporterId" = ${viewer.id}` : noRows;
  },
  mayReceive: (viewer, { ownerId, attributes }) =>
    may(viewer, "see reports", ownerId ?? "") && (attributes.ownerId !== viewer?.id || ownerId === viewer?.id),
};

export const files: Collection = {
  source: sql`files`,
  id: column("files.id"),
  sequence: column("files.createdAt"),
  createdAt: column("files.createdAt"),
  updatedAt: sql`coalesce(files."updatedAt", files."createdAt")`,
  ownerId: column("files.ownerId"),
  isPublic: column("files.public"),
  tieBreakers: [column("files.createdAt"), column("files.id")],
  attributes: {
    name: attribute("text", "files.name"),
    signature: { type: "text", column: sql`coalesce(files.signature, '')` },
    mimeType: { type: "text", column: sql`case when files.signature is null then '' else files.type end` },
    sizeOriginal: attribute("number", "files.size"),
    chunksTotal: attribute("number", "files.pieces"),
    chunksUploaded: {
      type: "number",
      column: sql`case when files.signature is not null then files.pieces
        else (select count(*) from file_pieces where file_pieces."fileId" = files.id) end`,
    },
  },
  selectiveAttributes: ["$id"],
  rangeIndexedAttributes: [...byAge, "$id"],
  readable(viewer) {
    const publicFiles = sql<SqlBool>`(files.public = true and files.signature is not null)`;
    const apiFiles = sql<SqlBool>`(files.signature is not null or files.pieces > 1)`;
    if (may(viewer, "see uploaded files", otherMember)) return apiFiles;
    if (!viewer || !may(viewer, "see uploaded files", viewer.id)) return publicFiles;
    // As `or`, SQLite would read and sort all of them by two indexes.
    return sql<SqlBool>`(${apiFiles} and not (not ${publicFiles} and files."ownerId" <> ${viewer.id}))`;
  },
  mayReceive: (viewer, { ownerId, isPublic }) => isPublic || may(viewer, "see uploaded files", ownerId ?? ""),
};
