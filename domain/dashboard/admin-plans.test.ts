import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type AdminPostQuery, countForAdmin, listForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { adminSorts } from "#domain/moderation/posts/moderation.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { fillSite } from "../../tests/support/fill-site.ts";
import { planOf, unboundedSteps, updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { plansOf, sortSteps } from "../../tests/support/query-plans.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readAnalytics } from "../analytics/analytics.server.ts";
import { listAudit } from "../audit/audit.server.ts";
import { listBackups } from "../backups/backups.server.ts";
import { listAllMessages, type MessageQuery } from "../messages/admin-messages.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { countUsers, listUsers, type UserQuery } from "../profiles/admin-users.server.ts";
import { userSorts } from "../profiles/admin-users.ts";
import { countReports, listReports } from "../reports/report-reads.server.ts";
import type { Site } from "../site.ts";
import { readDashboard } from "./dashboard.server.ts";

// The cost of administrators' pages must not grow with the site.

let world: World;
let emailMessage: string;
beforeAll(async () => {
  world = await openWorld();
  const { site, maren, ruth } = world;
  emailMessage = (await sendMessage(site, maren, { to: ruth.id, text: "Hello", sendId: "0" })).id;
  await fillSite(world);
  await sql`insert into posts (id, "userId", "userName", title, summary, words, status, featured, pinned, views, "likesCount", "bookmarksCount",
      "createdAt", "updatedAt", "searchTitle", "searchAuthor", content, markdown, "plainText", "searchText")
    select 'draft-' || id, "userId", "userName", title, summary, words, 'inactive', false, false, views, "likesCount", 0,
      "publishedAt", "updatedAt", "searchTitle", "searchAuthor", content, markdown, "plainText", "searchText"
    from posts where number % 2 = 0`.execute(site.db);
  const numbered = await site.db.selectFrom("users").select("id").where("id", "like", "member-%").execute();
  const sentMessages = numbered.map(({ id }, index) => ({ id: `letter-${id}`, number: index + 1, sendId: id, createdAt: index }));
  const between = { conversationId: "c", senderId: maren.id, receiverId: world.tobias.id, message: "", fileId: null, isRead: true };
  for (let at = 0; at < sentMessages.length; at += 500)
    await site.db
      .insertInto("messages")
      .values(sentMessages.slice(at, at + 500).map((each) => ({ ...each, ...between })))
      .execute();
  await updateStatistics(site);
});
afterAll(() => world.close());

const users = (chosen: Partial<UserQuery>) => (site: Site) =>
  listUsers(site, world.ruth, { search: "", sort: "newest", limit: 20, page: 1, ...chosen });
const posts = (chosen: Partial<AdminPostQuery>) => (site: Site) =>
  listForAdmin(site, world.ruth, { search: "", status: "all", featured: "all", sort: "newest", limit: 20, page: 1, ...chosen });
const messages = (chosen: Partial<MessageQuery>) => (site: Site) =>
  listAllMessages(site, world.ruth, { search: "", userId: "", sort: "newest", limit: 50, page: 1, ...chosen });

const reads: [string, (site: Site) => Promise<unknown>][] = [
  ["the dashboard", (site) => readDashboard(site, world.ruth, 30)],
  ["the analytics of 90 days", (site) => readAnalytics(site, world.ruth, 90)],
  ["the figures above stories", (site) => countForAdmin(site, world.ruth)],
  ...adminSorts.map((sort): [string, (site: Site) => Promise<unknown>] => [`stories by ${sort}`, posts({ sort })]),
  ["drafts", posts({ status: "inactive" })],
  ...(["all", "active", "inactive", "held"] as const).map((status): [string, (site: Site) => Promise<unknown>] => [
    `a search for a common word, status ${status}`,
    posts({ search: "everywhere", status }),
  ]),
  ["a search for a common word in featured stories", posts({ search: "everywhere", featured: "true" })],
  ["the figures above members", (site) => countUsers(site, world.ruth)],
  ...userSorts.map((sort): [string, (site: Site) => Promise<unknown>] => [`members by ${sort}`, users({ sort })]),
  ...userSorts.map((sort): [string, (site: Site) => Promise<unknown>] => [
    `members by ${sort}, the next page`,
    users({ sort, page: 2, anchor: { id: "member-7", page: 1 } }),
  ]),
  ["messages", messages({})],
  ["messages, the oldest first", messages({ sort: "oldest" })],
  ["messages, the next page", (site) => messages({ page: 2, anchor: { id: emailMessage, page: 1 } })(site)],
  ["messages of one member", (site) => messages({ userId: world.maren.id })(site)],
  ["reports", (site) => listReports(site, world.ruth, { status: "all", limit: 20 })],
  ["the counts of reports", (site) => countReports(site, world.ruth)],
  ["the audit log", (site) => listAudit(site, world.ruth, { limit: 50 })],
  ["the list of backups", (site) => listBackups(site, world.ruth)],
];

/** Scans that are allowed: found numbers, tables with a row per day, job or kind, tables empty in this test, sorts of bounded results. */
const bounded =
  /CONSTANT ROW|member_search VIRTUAL TABLE|json_each VIRTUAL TABLE|daily_counters|report_counts|uptime|backup_runs|\bjobs\b|TEMP B-TREE FOR (GROUP|ORDER) BY$|audit_log|reports/;

/** PostgreSQL prefers sequential scans of a test's short tables, so plans are made without them. */
async function growing(read: (site: Site) => Promise<unknown>): Promise<string[]> {
  if (inject("engine") === "postgres")
    return (await plansOf(world.site, read)).filter((step) => /Seq Scan on (?!daily_counters|counters|report_counts)/.test(step));
  const { site, queries } = watchQueries(world.site);
  await read(site);
  expect(queries).not.toEqual([]);
  const found: string[] = [];
  for (const query of queries) {
    const plan = await planOf(world.site, query);
    // The reader's statistics are from when it was opened and the tables were short.
    if (/"id" in \(\?, /.test(query.sql)) continue;
    const steps = [
      ...plan.filter((step) => /SCAN member_texts/.test(step)),
      ...unboundedSteps(plan).filter((step) => !bounded.test(step)),
      // Half of all stories, where nothing ends the search early.
      ...(/^select count/.test(query.sql) ? plan.filter((step) => /SEARCH posts .*\(status=\?\)$/.test(step)) : []),
    ];
    found.push(...steps.map((step) => `${step}\n  in ${query.sql}\n  ${plan.join("\n  ")}`));
  }
  return found;
}

describe("administrators' pages use indexes", () => {
  test.each(reads)("%s", async (_name, read) => {
    expect(await growing(read)).toEqual([]);
  });

  test("lists of stories need no sorting, drafts included", async () => {
    // SQLite plans with the statistics from when it was opened.
    const site = await openSite(readConfig(world.environment), createLog("silent"));
    for (const sort of adminSorts)
      for (const status of ["all", "active", "inactive"] as const)
        expect([sort, status, sortSteps(await plansOf(site, posts({ sort, status })))]).toEqual([sort, status, []]);
    await closeSite(site);
  });

  test.each(userSorts)("a search for members by %s uses indexes", async (sort) => {
    expect(await growing(users({ search: "ember-12", sort }))).toEqual([]);
    expect((await users({ search: "ember-12", sort })(world.site)).total).toBe(11);
    for (const search of ["me", "É"]) expect(await growing(users({ search, sort })), search).toEqual([]);
  });
});
