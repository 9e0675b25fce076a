import { sql } from "kysely";
import { expect, test } from "vitest";
import { listForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { fullScans, plansOf, sortSteps } from "../../tests/support/query-plans.ts";
import { openWorld } from "../../tests/support/world.ts";
import { listReports } from "../reports/report-reads.server.ts";
import { dryRun } from "../rules/rules.server.ts";
import type { Site } from "../site.ts";
import { findPostNotice, listAnswers, listModerationActions, listNotices } from "./notices.server.ts";
import { removeEndedSuspensions } from "./suspensions.server.ts";
import { sweepDeleted } from "./sweep-deleted.server.ts";
import { countUnseenNotices } from "./unseen-notices.server.ts";

test("moderation queries use indexes", async () => {
  const world = await openWorld();
  const { site, maren, ruth } = world;
  await addPost(world, maren, { id: "moor" });
  await holdPost(site, ruth, "moor", { reason: "why" });
  const listing = { search: "", featured: "all", sort: "newest", limit: 9, page: 1 } as const;
  const reads: [name: string, read: (site: Site) => Promise<unknown>][] = [
    [
      "the dry run",
      (site) =>
        dryRun(site, ruth, [
          { kind: "links", more: 1 },
          { kind: "stories", fewer: 3 },
          { kind: "word", word: "lamp" },
        ]),
    ],
    ["notices", (site) => listNotices(site, maren)],
    ["unseen notices", (site) => sql`select ${countUnseenNotices(maren.id)}`.execute(site.db)],
    ["a story's notice", (site) => findPostNotice(site, "moor")],
    ["acts on a story", (site) => listModerationActions(site, ruth, "post:moor")],
    ["answers", (site) => listAnswers(site, maren)],
    ["the queue", (site) => listReports(site, ruth, { status: "pending", limit: 20 })],
    ["held stories", (site) => listForAdmin(site, ruth, { ...listing, status: "held" })],
    ["the sweep", (site) => sweepDeleted(site)],
    ["ended suspensions", (site) => removeEndedSuspensions(site)],
  ];
  for (const [name, read] of reads) {
    const plans = await plansOf(site, read);
    expect(plans.length, name).toBeGreaterThan(0);
    expect(fullScans(plans), name).toEqual([]);
    if (name === "the dry run") expect(sortSteps(plans), name).toEqual([]);
  }
  await world.close();
});
