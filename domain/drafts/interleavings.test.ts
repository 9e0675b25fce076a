import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createPost } from "../posts/posts.server.ts";
import { readForEditing, updatePost } from "../posts/update-post.server.ts";
import { detailsOf } from "../refusals.ts";
import type { Member } from "../site.ts";
import { discardWorkingCopy } from "./discard.server.ts";
import { copyIdOf, emptyDraft, newCopyId } from "./draft.ts";
import { readWorkingCopy } from "./draft-reads.server.ts";
import { type DraftConflict, saveWorkingCopy } from "./working-copies.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A page with a story open. `seen` holds every text that it showed its person, in the editor or in a comparison. */
type Page = {
  who: Member;
  writer: string;
  text: string;
  base: number | null;
  count: number;
  version: number;
  seen: Set<string>;
  /** Texts that this page published. */
  published: Set<string>;
};

type Step =
  | { page: number; does: "types" | "opens" | "discards" }
  | { page: number; does: "saves" | "publishes"; loses: boolean; keeps: "mine" | "theirs" };

const page = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ page, does: fc.constant("types" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      page,
      does: fc.constantFrom("saves" as const, "saves" as const, "publishes" as const),
      loses: fc.boolean(),
      keeps: fc.constantFrom("mine" as const, "theirs" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ page, does: fc.constantFrom("opens" as const, "discards" as const) }) },
);

let post = 0;

/** Texts are lists of words that are typed only once, so a missing word is a loss. */
class Simulation {
  readonly slug = `story-${++post}`;
  readonly pages: Page[];
  /** The accepted texts by copy id. Only pages that have seen a text may replace it. */
  copies = new Map<string, string>();
  published = "Once.";
  #words = 0;

  constructor(people: Member[]) {
    this.pages = people.map((who, index) => ({
      who,
      writer: `page-number-${index}`,
      text: "",
      base: null,
      count: 0,
      version: 0,
      seen: new Set(),
      published: new Set(),
    }));
  }

  copyId({ who }: Page) {
    return copyIdOf(who.id, this.slug);
  }

  type(page: Page) {
    page.count++;
    page.text += ` ${this.slug}w${++this.#words}`;
    page.seen.add(page.text);
  }

  /** A page that is opened again has another `writer`. */
  async open(page: Page) {
    Object.assign(page, { writer: newCopyId(), count: 0 });
    const post = await readForEditing(world.site, page.who, this.slug);
    const copy = await readWorkingCopy(world.site, page.who, this.copyId(page)).catch(() => null);
    Object.assign(page, { text: copy?.content ?? post.content, base: copy?.revision ?? null, version: copy?.postVersion ?? post.version });
    page.seen.add(page.text).add(post.content);
  }

  async save(page: Page, loses: boolean) {
    const draft = { ...emptyDraft, title: "Tides", slug: this.slug, content: page.text };
    const { who, writer, base, count, version } = page;
    const before = this.copies.get(this.copyId(page));
    const { revision } = await saveWorkingCopy(world.site, who, {
      ...{ id: this.copyId(page), userId: who.id, writer, base, count, postId: this.slug, postVersion: version, draft },
    });
    this.expectSeen(page, before);
    this.copies.set(this.copyId(page), page.text);
    if (!loses) page.base = revision;
  }

  async publish(page: Page, loses: boolean) {
    const input = { title: "Tides", content: page.text, status: "active" as const };
    const draft = { id: this.copyId(page), base: page.base, writer: page.writer, count: page.count };
    const before = this.copies.get(this.copyId(page));
    await updatePost(world.site, page.who, this.slug, input, { version: page.version, draftBase: draft });
    this.expectSeen(page, before);
    this.expectSeen(page, this.published);
    this.copies.delete(this.copyId(page));
    this.published = page.text;
    page.published.add(page.text);
    if (!loses) await this.open(page);
  }

  async discard(page: Page) {
    await this.open(page);
    await discardWorkingCopy(world.site, page.who, this.copyId(page));
    this.copies.delete(this.copyId(page));
    await this.open(page);
  }

  /** Throws unless the replaced text is equal, extended or was seen. */
  expectSeen(page: Page, replaced: string | undefined) {
    if (replaced === undefined || page.text.startsWith(replaced) || page.seen.has(replaced)) return;
    throw new Error(`${page.writer} replaced “${replaced}” with “${page.text}” unseen`);
  }

  /** The comparison shows both texts. */
  settle(page: Page, { theirs }: DraftConflict, keeps: "mine" | "theirs") {
    page.count++;
    if (!theirs) return Object.assign(page, { base: null });
    page.seen.add(theirs.content).add(page.text);
    if (theirs.kind === "draft") page.base = theirs.number;
    else page.version = theirs.number;
    if (keeps === "theirs") page.text = theirs.content;
    return page;
  }
}

async function run(simulation: Simulation, steps: Step[]): Promise<void> {
  for (const each of steps) {
    const page = simulation.pages[each.page] as Page;
    world.clock.advance(1);
    if (!("keeps" in each))
      await { types: () => simulation.type(page), opens: () => simulation.open(page), discards: () => simulation.discard(page) }[
        each.does
      ]();
    else {
      try {
        await (each.does === "saves" ? simulation.save(page, each.loses) : simulation.publish(page, each.loses));
      } catch (error) {
        const changed = detailsOf<DraftConflict>(error, "changed-meanwhile");
        if (changed) simulation.settle(page, changed, each.keeps);
        else if (!detailsOf(error, "finished") || !page.published.has(page.text)) throw error;
      }
    }
    await expectAccepted(simulation);
  }
}

async function expectAccepted(simulation: Simulation): Promise<void> {
  expect((await readForEditing(world.site, world.maren, simulation.slug)).content).toBe(simulation.published);
  for (const page of simulation.pages) {
    const copy = await readWorkingCopy(world.site, page.who, simulation.copyId(page)).catch(() => null);
    expect(copy?.content).toBe(simulation.copies.get(simulation.copyId(page)));
  }
}

test("author and administrator with two tabs each: no saved text is overwritten unseen", async () => {
  const cover = await picture("a.jpg", 60, 30);
  world.site.settings.maxPostsPerUser = 10_000;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const simulation = new Simulation([world.maren, world.maren, world.ruth, world.ruth]);
      await createPost(world.site, world.maren, { title: "Tides", slug: simulation.slug, content: "Once.", status: "active" }, cover);
      for (const page of simulation.pages) await simulation.open(page);
      await run(simulation, steps);
    }),
    { numRuns: propertyRuns(60) },
  );
});
