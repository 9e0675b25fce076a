import { afterEach, beforeEach, expect, test } from "vitest";
import { password } from "../../tests/support/people.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { transaction } from "../site.ts";
import { recordAudit } from "./audit.server.ts";
import { auditCheckText, verifyAudit } from "./chain.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const write = (subject: string) =>
  transaction(world.site, (tx) => recordAudit(tx, world.ruth, { action: "post.held", subject, after: { reason: `About ${subject}` } }));
const check = () => verifyAudit(world.site, null);

test("concurrent writers form one chain, and rollbacks leave no gap", async () => {
  const failing = async () => {
    await transaction(world.site, async (tx) => {
      await recordAudit(tx, world.ruth, { action: "post.held", subject: "post:never" });
      throw new Error("not done");
    }).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 5 ? write(`post:${index}`) : failing())));
  await transaction(world.site, async (tx) => {
    for (const subject of ["post:a", "post:b"]) await recordAudit(tx, null, { action: "post.held", subject });
  });
  expect(await check()).toMatchObject({
    entries: 26,
    older: 0,
    blanked: 0,
    changed: [],
    broken: [],
    head: expect.stringMatching(/^\w{64}$/),
  });
  const links = await world.site.db.selectFrom("audit_log").select("link").orderBy("link").execute();
  expect(links.map(({ link }) => Number(link))).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
});

test("detects changed, removed and inserted entries", async () => {
  const { db } = world.site;
  for (let i = 1; i <= 6; i++) await write(`post:${i}`);
  await db.updateTable("audit_log").set({ after: '{"reason":"Another"}' }).where("subject", "=", "post:2").execute();
  expect(await check()).toMatchObject({ changed: [2], broken: [] });
  await db.deleteFrom("audit_log").where("subject", "=", "post:4").execute();
  expect(await check()).toMatchObject({ changed: [2], broken: [5] });
  expect(auditCheckText(await check())).toContain("was CHANGED");
});

test("an account's deletion empties entries without breaking the chain", async () => {
  const { site, ruth, maren } = world;
  await write("post:1");
  await transaction(site, (tx) =>
    recordAudit(tx, ruth, { action: "user.suspended", subject: `user:${maren.id}`, after: { name: maren.name } }),
  );
  await write("post:2");
  await deleteAccount(site, maren, password);
  expect(await check()).toMatchObject({ entries: 3, blanked: 1, changed: [], broken: [] });
  await deleteAccount(site, ruth, password);
  expect(await check()).toMatchObject({ entries: 3, blanked: 3, changed: [], broken: [] });
});

test("requires permission to see the log", async () => {
  await expect(verifyAudit(world.site, world.maren)).rejects.toMatchObject({ code: "not-allowed" });
});
