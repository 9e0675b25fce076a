import { type SqlBool, sql } from "kysely";
import { may } from "../permissions.ts";
import type { Collection } from "./collection.ts";
import { attribute, byAge, byAgeAlone, column, somebodyElse } from "./collection-columns.ts";

/** Of files that came through the API: own ones, and those that their owners have made public. */
export const files: Collection = {
  source: sql`files`,
  id: column("files.id"),
  sequence: column("files.createdAt"),
  createdAt: column("files.createdAt"),
  updatedAt: sql`coalesce(files."updatedAt", files."createdAt")`,
  ownerId: column("files.ownerId"),
  isPublic: column("files.public"),
  ties: [column("files.createdAt"), column("files.id")],
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
  narrow: ["$id"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  readable(viewer) {
    const everybodys = sql<SqlBool>`(files.public = true and files.signature is not null)`;
    const ofTheApi = sql<SqlBool>`(files.signature is not null or files.pieces > 1)`;
    if (may(viewer, "see uploaded files", somebodyElse)) return ofTheApi;
    if (!viewer) return everybodys;
    const own = sql<SqlBool>`(files."ownerId" = ${viewer.id} and ${ofTheApi})`;
    return may(viewer, "see uploaded files", viewer.id) ? sql<SqlBool>`(${everybodys} or ${own})` : everybodys;
  },
};
