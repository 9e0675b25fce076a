import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { transaction } from "../site.ts";
import { listAudit, recordAudit } from "./audit.server.ts";

describe("the audit log", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    for (let i = 1; i <= 5; i++)
      await transaction(world.site, (tx) =>
        recordAudit(tx, i === 3 ? null : world.ruth, {
          action: i % 2 ? "post.featured" : "post.deleted",
          subject: `post:${i}`,
          before: { i },
        }),
      );
  });
  afterAll(() => world.close());

  test("is listed newest first, in pages", async () => {
    const first = await listAudit(world.site, world.ruth, { limit: 2 });
    const second = await listAudit(world.site, world.ruth, { limit: 2, after: first.next });
    const third = await listAudit(world.site, world.ruth, { limit: 2, after: second.next });
    expect([first, second, third].map((page) => page.entries.map((entry) => entry.subject))).toEqual([
      ["post:5", "post:4"],
      ["post:3", "post:2"],
      ["post:1"],
    ]);
    expect(third.next).toBeNull();
    expect(first.entries[0]).toMatchObject({ userId: world.ruth.id, userName: "Ruth Castellanos", before: { i: 5 }, after: null });
  });

  test("can be filtered by action, subject or person", async () => {
    const subjects = async (filter: object) =>
      (await listAudit(world.site, world.ruth, { limit: 9, ...filter })).entries.map((entry) => entry.subject);
    expect(await subjects({ action: "post.deleted" })).toEqual(["post:4", "post:2"]);
    expect(await subjects({ subject: "post:1" })).toEqual(["post:1"]);
    expect(await subjects({ userId: world.maren.id })).toEqual([]);
  });

  test("shows actions of the console", async () => {
    const { entries } = await listAudit(world.site, world.ruth, { limit: 9, subject: "post:3" });
    expect(entries).toMatchObject([{ userId: null, userName: "Console" }]);
  });

  test("omits actions that were rolled back", async () => {
    const failing = transaction(world.site, async (tx) => {
      await recordAudit(tx, world.ruth, { action: "post.pinned", subject: "post:9" });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect((await listAudit(world.site, world.ruth, { limit: 9, action: "post.pinned" })).entries).toEqual([]);
  });

  test("is for administrators only", async () => {
    await expect(listAudit(world.site, world.maren, { limit: 1 })).rejects.toMatchObject({ code: "not-allowed" });
    await expect(listAudit(world.site, null, { limit: 1 })).rejects.toMatchObject({ code: "sign-in-required" });
  });
});
