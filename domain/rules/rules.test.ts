import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listNotices } from "../moderation/notices.server.ts";
import { undoModerationAction } from "../moderation/undo.server.ts";
import { readPost } from "../posts/post-reads.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { readForEditing, setPostStatus, updatePost } from "../posts/update-post.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import type { Member } from "../site.ts";
import { type Condition, dryRunMaxPosts, matchesConditions, type Outcome, type RuleFacts, ruleInWords, ruleTexts } from "./rule.ts";
import { RuleInput } from "./rule-input.ts";
import { deleteRule, dryRun, findRule, listRules, saveRule, setRuleEnabled } from "./rules.server.ts";

const day = 24 * 60 * 60 * 1000;
const spam: Condition[] = [
  { kind: "younger", days: 7 },
  { kind: "links", more: 2 },
];

let world: World;
let newcomer: Member;
beforeEach(async () => {
  world = await openWorld();
  world.clock.advance(60 * day);
  newcomer = await addMember(world, "Newcomer");
});
afterEach(() => world.close());

async function rule(conditions: Condition[], outcome: Outcome = "hold"): Promise<string> {
  const id = await saveRule(world.site, world.ruth, undefined, { conditions, outcome, message: "We look at these first" });
  await setRuleEnabled(world.site, world.ruth, id, true);
  return id;
}

let count = 0;
async function publish(by: Member, content: string, status: "active" | "inactive" = "active"): Promise<string> {
  const slug = `story-${++count}`;
  return (await createPost(world.site, by, { title: slug, slug, content, status }, await picture())).id;
}

const links = (many: number) => Array.from({ length: many }, (_, index) => `[lamp ${index}](https://lamps.example/${index})`).join(" ");
const state = async (id: string) => {
  const columns = ["status", "heldBy"] as const;
  return (await world.site.db.selectFrom("posts").select(columns).where("id", "=", id).executeTakeFirst())?.heldBy ? "held" : "free";
};
const queue = async () => (await listReports(world.site, world.ruth, { status: "pending", limit: 9 })).reports;

describe("a rule that holds", () => {
  test("hides matching stories at once, notifies the author and files a report", async () => {
    await rule(spam);
    const id = await publish(newcomer, links(3));
    await expect(readPost(world.site, world.tobias, id)).rejects.toMatchObject({ code: "not-found" });
    const { notice } = await readPost(world.site, newcomer, id);
    expect(notice).toMatchObject({ kind: "hold", reason: "We look at these first", byRule: true });
    expect(await queue()).toMatchObject([
      {
        kind: "post",
        subjectId: id,
        reporterId: null,
        reason: "rule",
        note: "the account is less than 7 days old and the story has more than 2 links",
        held: "hold",
      },
    ]);
  });

  test("ignores stories that fail a condition, drafts, and stories by staff", async () => {
    await rule(spam);
    const ids = [await publish(newcomer, links(2)), await publish(world.maren, links(3)), await publish(newcomer, links(3), "inactive")];
    const young = await addMember(world, "Young Admin", { staff: "administrator" });
    ids.push(await publish(young, links(3)));
    expect(await Promise.all(ids.map(state))).toEqual(["free", "free", "free", "free"]);
  });

  test("is checked again when a draft is published or a story changes", async () => {
    await rule(spam);
    const draft = await publish(newcomer, links(3), "inactive");
    await setPostStatus(world.site, newcomer, draft, "active");
    const post = await publish(newcomer, "harmless");
    const change = { title: "Changed", content: links(5), status: "active" } as const;
    await updatePost(world.site, newcomer, post, change, { version: 1 });
    expect(await Promise.all([draft, post].map(state))).toEqual(["held", "held"]);
    // Sent again after a lost answer: the same change.
    await updatePost(world.site, newcomer, post, change, { version: 1 });
    expect((await readForEditing(world.site, newcomer, post)).version).toBe(2);
  });

  test("is overridden by a release", async () => {
    await rule(spam);
    const id = await publish(newcomer, links(3));
    await undoModerationAction(world.site, world.ruth, (await listNotices(world.site, newcomer))[0]?.id ?? "");
    expect((await readPost(world.site, null, id)).status).toBe("active");
  });
});

test("a rule that reports keeps the story public, and files one report", async () => {
  await rule([{ kind: "word", word: "lamps" }], "report");
  const id = await publish(newcomer, "The best Lamps in town");
  await updatePost(world.site, newcomer, id, { title: "x", content: "Lámps, lamps", status: "active" }, { version: 1 });
  expect(await state(id)).toBe("free");
  expect(await queue()).toMatchObject([{ subjectId: id, note: "the story contains “lamps”" }]);
  expect(await publish(newcomer, "A lampshade")).toBeTruthy();
  expect(await queue()).toHaveLength(1);
});

test("a rule counts an author's earlier published stories", async () => {
  await rule([{ kind: "stories", fewer: 2 }], "hold");
  await addPost(world, newcomer, { id: "first" });
  const held = await publish(newcomer, "second");
  await addPost(world, newcomer, { id: "third" });
  const free = await publish(newcomer, "fourth");
  expect([await state(held), await state(free)]).toEqual(["held", "free"]);
});

describe("the dry run", () => {
  test("finds stories of the last 30 days that matched when published", async () => {
    const { site, ruth, clock } = world;
    const matched = await publish(newcomer, links(3));
    await publish(newcomer, links(2));
    await publish(world.maren, links(3));
    clock.advance(10 * day);
    await publish(newcomer, links(3));
    const { newest, ...figures } = await dryRun(site, ruth, spam);
    expect(newest).toMatchObject([{ id: matched, userName: "Newcomer", links: 3 }]);
    expect(figures).toEqual({ matched: 1, checked: 4, isPart: false });
    clock.advance(21 * day);
    expect(await dryRun(site, ruth, spam)).toMatchObject({ matched: 0, checked: 1 });
    expect(dryRunMaxPosts).toBeLessThanOrEqual(5_000);
  });

  test("checks the newest up to the limit, and reports that there are more", async () => {
    const { site, ruth, clock } = world;
    const written: string[] = [];
    for (let n = 0; n < 5; n++) {
      // Two with equal times each.
      if (n % 2 === 0) clock.advance(1_000);
      written.unshift(await publish(newcomer, links(3)));
    }
    const dryRunUpTo = async (most: number) => {
      const { newest, ...figures } = await dryRun(site, ruth, spam, most);
      expect(newest.map(({ id }) => id)).toEqual(written.slice(0, most));
      return figures;
    };
    expect(await dryRunUpTo(3)).toEqual({ matched: 3, checked: 3, isPart: true });
    expect(await dryRunUpTo(5)).toEqual({ matched: 5, checked: 5, isPart: false });
    expect(await dryRunUpTo(dryRunMaxPosts)).toEqual({ matched: 5, checked: 5, isPart: false });
  });

  test("continues in batches until all are checked", async () => {
    const { site, ruth, clock } = world;
    for (let n = 0; n < 5; n++) {
      if (n % 2 === 0) clock.advance(1_000);
      await publish(newcomer, links(3));
    }
    const found = await dryRun(site, ruth, spam, dryRunMaxPosts, 2);
    expect(found).toMatchObject({ matched: 5, checked: 5, isPart: false });
    expect(new Set(found.newest.map(({ id }) => id)).size).toBe(5);
  });

  test("changes nothing", async () => {
    const id = await publish(newcomer, links(3));
    await dryRun(world.site, world.ruth, spam);
    expect([await state(id), await queue()]).toEqual(["free", []]);
  });
});

test("a new or changed rule is off until it is turned on", async () => {
  const { site, ruth } = world;
  const id = await saveRule(site, ruth, undefined, { conditions: spam, outcome: "hold", message: "m" });
  expect((await findRule(site, ruth, id)).enabled).toBe(false);
  await setRuleEnabled(site, ruth, id, true);
  expect((await findRule(site, ruth, id)).enabled).toBe(true);
  await saveRule(site, ruth, id, { conditions: spam.slice(0, 1), outcome: "hold", message: "m" });
  expect(await listRules(site, ruth)).toMatchObject([{ enabled: false, conditions: [{ kind: "younger", days: 7 }] }]);
  await deleteRule(site, ruth, id);
  expect(await listRules(site, ruth)).toEqual([]);
});

test("a rule that someone else has changed is neither replaced nor turned on without being seen", async () => {
  const { site, ruth } = world;
  const input = { conditions: spam, outcome: "hold" as const, message: "m" };
  const [mine, theirs] = [
    { ...input, message: "mine" },
    { ...input, message: "theirs" },
  ];
  const id = await saveRule(site, ruth, undefined, input);
  const seenAt = (await findRule(site, ruth, id)).updatedAt;
  const answers = await Promise.allSettled([saveRule(site, ruth, id, theirs, seenAt), saveRule(site, ruth, id, mine, seenAt)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(answers.find((answer) => answer.status === "rejected")?.reason).toMatchObject({ code: "conflict", message: ruleTexts.changed });
  await expect(setRuleEnabled(site, ruth, id, true, seenAt)).rejects.toMatchObject({ code: "conflict" });
  const saved = await findRule(site, ruth, id);
  expect(saved.enabled).toBe(false);
  // Sent again because its response was lost.
  await saveRule(site, ruth, id, saved, seenAt);
  expect(await findRule(site, ruth, id)).toEqual(saved);
  await setRuleEnabled(site, ruth, id, true, saved.updatedAt);
  // Turning off is never refused.
  await setRuleEnabled(site, ruth, id, false, seenAt);
  await saveRule(site, ruth, id, mine, (await findRule(site, ruth, id)).updatedAt);
  expect((await findRule(site, ruth, id)).message).toBe("mine");
});

test("only administrators manage rules", async () => {
  const { site, maren } = world;
  for (const refused of [
    () => listRules(site, maren),
    () => saveRule(site, maren, undefined, { conditions: spam, outcome: "hold", message: "" }),
    () => setRuleEnabled(site, maren, "x", true),
    () => deleteRule(site, maren, "x"),
    () => dryRun(site, maren, spam),
  ])
    await expect(refused()).rejects.toMatchObject({ code: "not-allowed" });
});

describe("the form", () => {
  test.each([
    [{ younger: "7", links: "3" }, "the account is less than 7 days old and the story has more than 3 links"],
    [{ words: "Lámps, CHEAP lamps" }, "the story contains “lamps” and the story contains “cheap”"],
    [{ stories: "1" }, "the author has published fewer than 1 story"],
    [{ links: "0" }, "the story has more than 0 links"],
  ])("accepts %o", (form, words) => {
    expect(ruleInWords(RuleInput.parse(form).conditions)).toBe(words);
  });

  test.each([{}, { younger: "0" }, { younger: "a week" }, { links: "-1" }, { links: "1001" }, { words: "a b c d e f" }])(
    "rejects %o",
    (form) => {
      expect(RuleInput.safeParse(form).success).toBe(false);
    },
  );

  test("no conditions match nothing", () => {
    const facts: RuleFacts = { accountDays: 0, links: 9, earlierPosts: 0, containsWord: {} };
    expect(matchesConditions([], facts)).toBe(false);
  });
});
