import { sql } from "kysely";
import { readCounters } from "../counters/counters.server.ts";
import { fullCount, shortCount } from "../format.ts";
import type { Site } from "../site.ts";
import { type LandingStats, showcaseStats } from "./landing.ts";

export async function readLandingStats(site: Site): Promise<LandingStats> {
  if (site.settings.landingFigures === "showcase") return showcaseStats;
  const [{ members, published, publishedViews }, online] = await Promise.all([readCounters(site), countVisitors(site)]);
  return { users: fullCount(members), posts: fullCount(published), reads: shortCount(publishedViews), online: fullCount(online) };
}

const maxCountedReaders = 10_000;

async function countVisitors({ db, now }: Site): Promise<number> {
  const recent = sql`select "viewerKey" from views where "endsAt" > ${now()} limit ${maxCountedReaders}`;
  const { rows } = await sql<{ count: number }>`select count(distinct "viewerKey") as count from (${recent}) as recent`.execute(db);
  return rows[0]?.count ?? 0;
}
