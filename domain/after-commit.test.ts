import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { picture } from "../tests/support/pictures.ts";
import { addPost } from "../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../tests/support/world.ts";
import { createPost } from "./posts/posts.server.ts";
import { readForEditing, updatePost } from "./posts/update-post.server.ts";
import { saveRule, setRuleEnabled } from "./rules/rules.server.ts";
import { type Site, transaction } from "./site.ts";

let world: World;
let logged: string[];
let site: Site;
beforeEach(async () => {
  world = await openWorld();
  logged = [];
  const error = (_details: unknown, text: string) => void logged.push(text);
  site = { ...world.site, log: Object.assign(Object.create(world.site.log), { error }) };
});
afterEach(() => world.close());

/** The site, whose queries fail on this table outside transactions. */
function withoutTable(name: string): Site {
  const selectFrom = (table: string) => {
    if (table === name) throw new Error(`${name} can't be read`);
    return site.db.selectFrom(table as "posts");
  };
  const get = (db: Site["db"], key: keyof Site["db"]) => {
    const own = db[key] as unknown;
    if (key === "selectFrom") return selectFrom;
    return typeof own === "function" ? own.bind(db) : own;
  };
  return { ...site, db: new Proxy(site.db, { get } as ProxyHandler<Site["db"]>) };
}

describe("work after the commit", () => {
  test("runs in order; a failure is logged and doesn't stop the rest", async () => {
    const ran: number[] = [];
    const saved = await transaction(site, async (tx) => {
      tx.afterCommit(async () => void ran.push(1));
      tx.afterCommit(() => {
        throw new Error("no");
      });
      tx.afterCommit(async () => void ran.push(3));
      expect(ran).toEqual([]);
      return "saved";
    });
    expect({ saved, ran, logged }).toEqual({ saved: "saved", ran: [1, 3], logged: ["work after a commit failed"] });
  });

  test("does not run when the transaction fails", async () => {
    const work = vi.fn();
    const failing = transaction(site, async (tx) => {
      tx.afterCommit(work);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(work).not.toHaveBeenCalled();
  });
});

describe("a failure never reports saved data as failed", () => {
  const input = { title: "Night Bus", slug: "night-bus", content: "[lamp](https://lamps.example)", status: "active" as const };
  const status = async (id: string) =>
    (await world.site.db.selectFrom("posts").selectAll().where("id", "=", id).executeTakeFirst())?.status;

  test("when the email about a held story can't be written", async () => {
    const conditions = [{ kind: "links" as const, more: 0 }];
    const ruleId = await saveRule(site, world.ruth, undefined, { conditions, outcome: "hold", message: "" });
    await setRuleEnabled(site, world.ruth, ruleId, true);
    const newcomer = await addMember(world, "Newcomer");
    await createPost(withoutTable("users as u"), newcomer, input, await picture());
    await site.background.settled();
    expect(await status("night-bus")).toBe("inactive");
    expect(await world.site.db.selectFrom("files").select("id").where("attachedAt", "is not", null).execute()).toHaveLength(1);
  });

  test("when the replaced picture can't be removed", async () => {
    await createPost(site, world.maren, input, await picture());
    const { version } = await readForEditing(site, world.maren, "night-bus");
    const change = { title: "Day Bus", content: "", status: "active" as const };
    await updatePost(withoutTable("files"), world.maren, "night-bus", change, { version, picture: await picture() });
    expect((await readForEditing(site, world.maren, "night-bus")).title).toBe("Day Bus");
  });

  test("and requests don't wait for emails", async () => {
    await addPost(world, world.maren, { id: "moor" });
    let sent = () => {};
    const sending = new Promise<void>((resolve) => (sent = resolve));
    const slow: Site = { ...site, mail: { delivers: true, send: () => sending } };
    await holdPost(slow, world.ruth, "moor", { reason: "Insults" });
    expect(await status("moor")).toBe("inactive");
    const settled = vi.fn();
    void site.background.settled().then(settled);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(settled).not.toHaveBeenCalled();
    sent();
    await expect.poll(() => settled.mock.calls).toHaveLength(1);
  });
});
