import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { transaction } from "../site.ts";
import { recordAudit } from "./audit.server.ts";
import { exportAudit } from "./export-audit.server.ts";

describe("the exported audit log", () => {
  let world: World;
  const entries = 1_203;
  beforeAll(async () => {
    world = await openWorld();
    await transaction(world.site, async (tx) => {
      await recordAudit(tx, world.ruth, { action: "post.held", subject: "post:a", after: { reason: 'He said "no", twice\n=1+1' } });
      await recordAudit(tx, { id: null, name: "=cmd()" }, { action: "post.deleted", subject: "post:b" });
      for (let i = 3; i <= entries; i++) await recordAudit(tx, world.ruth, { action: "post.pinned", subject: `post:${i}` });
    });
  });
  afterAll(() => world.close());

  const text = (filter: object, format: "csv" | "json") => new Response(exportAudit(world.site, world.ruth, filter, format)).text();

  test("has all entries as JSON", async () => {
    const rows = JSON.parse(await text({}, "json")) as { number: number; subject: string }[];
    expect(rows).toHaveLength(entries);
    expect([rows[0]?.subject, rows.at(-1)?.subject]).toEqual([`post:${entries}`, "post:a"]);
    expect(rows.at(-1)).toMatchObject({ action: "post.held", after: { reason: 'He said "no", twice\n=1+1' } });
  });

  test("applies the filters", async () => {
    expect(JSON.parse(await text({ action: "post.held" }, "json"))).toMatchObject([{ subject: "post:a" }]);
    expect(JSON.parse(await text({ subject: "post:nowhere" }, "json"))).toEqual([]);
    const [head, row, end] = (await text({ subject: "post:b" }, "csv")).split("\r\n");
    expect([head, end]).toEqual(["number,time,userId,userName,action,subject,before,after,network", ""]);
    expect(row).toMatch(/^2,\d{4}-.*Z,,'=cmd\(\),post.deleted,post:b,,,$/);
  });

  test("escapes CSV", async () => {
    expect(await text({ subject: "post:a" }, "csv")).toContain('"{""reason"":""He said \\""no\\"", twice\\n=1+1""}"');
  });

  test("is for administrators only", () => {
    expect(() => exportAudit(world.site, world.maren, {}, "csv")).toThrow("You don’t have permission");
  });
});
