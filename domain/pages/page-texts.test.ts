import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { informationPages } from "./information.ts";
import { PageTextInput } from "./page-text-input.ts";
import { changePage, defaultText, listPageTexts, readPage, readPageText } from "./page-texts.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const ours = { title: "House Rules", lead: "We have three.", text: "## The first\n\nBe *kind*." };
const theirs = { ...ours, text: "Be **brief**." };
const change = (input: typeof ours, version: number, path = "community-rules") =>
  changePage(world.site, world.ruth, path, PageTextInput.parse(input), version);
const readCurrent = () => readPageText(world.site, world.ruth, "community-rules");
const history = async () => (await listAudit(world.site, world.ruth, { limit: 20, subject: "page:community-rules" })).entries;

describe("page texts", () => {
  test.each(Object.keys(informationPages))("/%s has a default text", async (path) => {
    const { title, lead, html } = await readPage(world.site, path);
    expect({ title, lead }).toEqual({ title: informationPages[path]?.title, lead: informationPages[path]?.lead });
    expect(html).toMatch(/^<h2/);
  });

  test.each(["nothing", "constructor", "__proto__", ""])("/%s is not found", async (path) => {
    await expect(readPage(world.site, path)).rejects.toMatchObject({ code: "not-found" });
    await expect(changePage(world.site, world.ruth, path, ours, 0)).rejects.toMatchObject({ code: "not-found" });
  });

  test("an edited text is shown sanitized, and others stay unchanged", async () => {
    await change({ ...ours, text: `${ours.text}\n\n<script>alert(1)</script><a href="javascript:alert(1)">here</a>` }, 0);
    const { title, lead, html } = await readPage(world.site, "community-rules");
    expect({ title, lead }).toEqual({ title: "House Rules", lead: "We have three." });
    expect(html).toContain("Be <em>kind</em>.");
    expect(html).not.toMatch(/script/);
    expect((await readPage(world.site, "terms")).title).toBe("Terms of Service");
    const changed = (await listPageTexts(world.site, world.ruth)).filter(({ updatedAt }) => updatedAt !== null);
    expect(changed.map(({ path }) => path)).toEqual(["community-rules"]);
  });

  test("Contact Us shows the contacts from settings and environment", async () => {
    const contact = async () => (await readPage(world.site, "contact")).html;
    expect(await contact()).toContain("There’s no address here yet");
    expect(await contact()).not.toContain("mailto:");
    world.site.contactEmail = "desk@stories.example";
    world.site.settings.securityContact = "https://stories.example/security";
    expect(await contact()).toContain('href="mailto:desk@stories.example"');
    expect(await contact()).toContain('href="https://stories.example/security"');
    expect((await readPageText(world.site, world.ruth, "contact")).text).toContain("desk@stories.example");
  });

  test("the old text goes to the audit log; saving the same text changes nothing", async () => {
    await change(ours, 0);
    await change(ours, 0);
    await change(theirs, (await readCurrent()).version);
    expect(await history()).toMatchObject([
      { action: "page.changed", userName: world.ruth.name, before: ours, after: theirs },
      { before: defaultText(world.site, "community-rules"), after: ours },
    ]);
  });

  test("saving the default text removes the override", async () => {
    await change(ours, 0);
    await change(defaultText(world.site, "community-rules"), (await readCurrent()).version);
    expect(await readCurrent()).toMatchObject({ ...defaultText(world.site, "community-rules"), version: 0, updatedAt: null });
    expect(await world.site.db.selectFrom("page_texts").select("path").execute()).toEqual([]);
  });

  test("a concurrent change isn't overwritten", async () => {
    await change(ours, 0);
    await expect(change(theirs, 0)).rejects.toMatchObject({ code: "conflict" });
    const { version, ...seen } = await readCurrent();
    expect(seen).toMatchObject(ours);
    // Reset and changed again: a page opened before has an outdated version.
    await change(defaultText(world.site, "community-rules"), version);
    world.clock.advance(1);
    await change({ ...ours, title: "Other Rules" }, 0);
    await expect(change(theirs, version)).rejects.toMatchObject({ code: "conflict" });
    expect((await readCurrent()).title).toBe("Other Rules");
  });

  test("of two concurrent changes one conflicts", async () => {
    const answers = await Promise.allSettled([change(ours, 0), change(theirs, 0)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find((answer) => answer.status === "rejected")?.reason).toMatchObject({ code: "conflict" });
    expect(await history()).toHaveLength(1);
  });

  test("editing requires the permission", async () => {
    for (const who of [null, world.maren, world.salma]) {
      for (const act of [
        () => listPageTexts(world.site, who),
        () => readPageText(world.site, who, "terms"),
        () => changePage(world.site, who, "terms", ours, 0),
      ])
        await expect(act()).rejects.toMatchObject({ code: expect.stringMatching(/sign-in|not-allowed/) });
    }
  });

  test.each([
    ["no title", { title: "  " }, "Title is required"],
    ["a long title", { title: "t".repeat(101) }, "Title cannot exceed 100 characters"],
    ["a long summary", { lead: "l".repeat(301) }, "Summary cannot exceed 300 characters"],
    ["no text", { text: " \r\n " }, "Text is required"],
    ["a long text", { text: "t".repeat(50_001) }, "Text cannot exceed 50,000 characters"],
  ])("%s is rejected", (_what, wrong, message) => {
    expect(PageTextInput.safeParse({ ...ours, ...wrong }).error?.issues[0]?.message).toBe(message);
  });
});
