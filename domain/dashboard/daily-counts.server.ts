import { readDays } from "../counters/counters.server.ts";
import type { Site } from "../site.ts";

export async function readDailyCounts(site: Site, range: { from: number; to: number }) {
  const days = await readDays(site, ["members", "published", "drafts", "likes", "bookmarks", "messages"], range);
  return days.map(({ day, members: users, published, drafts, likes, bookmarks, messages }) => {
    return { day, posts: published + drafts, users, engagement: likes + bookmarks, likes, bookmarks, messages };
  });
}
