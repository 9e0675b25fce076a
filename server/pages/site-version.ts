import type { Site } from "#domain/site.ts";
import { contentVersion, databaseVersion } from "#platform/database/version.ts";

/**
 * Of everything that answers are made of: what was made at the same version is what would be made now. Undefined while the database does
 * not answer. @param known the database's version, where the request has asked for it already.
 */
export async function siteVersion({ db, engine, settings }: Site, known?: string): Promise<string | undefined> {
  const version = known ?? (await databaseVersion(db, engine).catch(() => undefined));
  // Settings are in memory, where a change of another process's arrives a moment after its commit.
  return version && `${version} ${JSON.stringify(settings)}`;
}

export async function pageVersion({ db, engine, settings }: Site): Promise<string | undefined> {
  const version = await contentVersion(db, engine).catch(() => undefined);
  return version && `${version} ${JSON.stringify(settings)}`;
}
