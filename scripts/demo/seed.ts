import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type DemoMembers, day, memberOf, withSettableClock } from "./community.ts";
import { readMembers } from "./content.ts";
import { seedConversations } from "./seed-conversations.ts";
import { seedMember } from "./seed-members.ts";
import { seedPosts, seedReactions } from "./seed-posts.ts";
import { administratorKey } from "./sign-ins.ts";

/**
 * Fills a new site with the same sample community each time, dated back from today. The data folder gets its name when it is complete.
 */
export async function seedDemo(environment: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = environment.DATA_DIR ?? "";
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  console.log("Preparing the sample community (once, about half a minute) …");
  const opened = await openSite(readConfig({ ...environment, DATA_DIR: unfinished }), createLog("warn"));
  const today = Date.now();
  const site = withSettableClock(opened);

  const members: DemoMembers = new Map();
  for (const [index, each] of readMembers().entries()) {
    site.setClock(today - each.joinedDaysAgo * day);
    members.set(each.key, await seedMember(site, each, index));
  }
  await site.db
    .insertInto("administrators")
    .values({ userId: memberOf(members, administratorKey).id, createdAt: today })
    .execute();
  const posts = await seedPosts(site, members, today);
  await seedReactions(site, members, posts, today);
  await seedConversations(site, members, today);
  await site.db.deleteFrom("sessions").execute();
  await site.db.deleteFrom("attempts").execute();
  await site.background.settled();
  await site.db.deleteFrom("outbox").execute();
  // Unread messages here are days old: no reminders about them.
  await site.db.updateTable("participants").set({ emailDueAt: null }).execute();

  await closeSite(opened);
  await rmdir(dataDir).catch(() => {});
  await rename(unfinished, dataDir);
}

/** @returns whether the path is free or an empty folder. */
export async function isEmptyFolder(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return entries.length === 0;
}
