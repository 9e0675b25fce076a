import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transaction } from "#domain/site.ts";
import { addSearchWords, searchColumns } from "#platform/database/search/search-words.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { anyCharacter } from "../../tests/support/xss.ts";
import type { Piece } from "./highlight.ts";
import { quickSearch } from "./quick-search.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await add("The Lighthouse Keeper’s Inventory", "Maren Oduya", "Forty candles, one ladder, no visitors.");
  await add("Night Bus", "Tobias Lindqvist", `${"The driver hums. ".repeat(30)}Past the lighthouse the heater gives up.`);
  await add("Café de la Gare", "Zoë Müller", "Crème <b>brûlée</b> in Łódź.");
  await add("Lighthouse, unfinished", "Maren Oduya", "", "inactive");
});
afterAll(() => world.close());

let posts = 0;

async function add(title: string, userName: string, plainText: string, status: "active" | "inactive" = "active") {
  posts++;
  const columns = searchColumns({ title, userName, plainText });
  const texts = { title, content: "", markdown: "", summary: "", plainText, words: 0, ...columns };
  const rest = { featuredImage: null, featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0 };
  const times = { publishedAt: posts, createdAt: posts, updatedAt: posts };
  // Their author has no profile, so the story's own author name is shown.
  const userId = await someoneWithoutProfile();
  await transaction(world.site, async (tx) => {
    await tx.db
      .insertInto("posts")
      .values({ id: `story-${posts}`, userId, userName, ...texts, ...rest, status, ...times })
      .execute();
    await addSearchWords(tx.db, [columns.searchTitle, columns.searchAuthor]);
  });
}

async function someoneWithoutProfile(): Promise<string> {
  await world.site.db.deleteFrom("profiles").where("userId", "=", world.tobias.id).execute();
  return world.tobias.id;
}

const marked = (pieces: Piece[]) => pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");
const found = async (text: string) =>
  (await quickSearch(world.site, text)).map(({ title, author, excerpt }) => [marked(title), marked(author), marked(excerpt)]);

describe("a quick search", () => {
  test("marks matches in title, author and excerpt", async () => {
    expect(await found("lighth")).toEqual([
      ["The [Lighthouse] Keeper’s Inventory", "Maren Oduya", "Forty candles, one ladder, no visitors."],
      ["Night Bus", "Tobias Lindqvist", "...hums. The driver hums. Past the [lighthouse] the heater gives up."],
    ]);
    expect(await found("zoe brulee")).toEqual([["Café de la Gare", "[Zoë] Müller", "Crème <b>[brûlée]</b> in Łódź."]]);
  });

  test("corrects a typo and marks the correction", async () => {
    expect((await found("lighthuose kepeer"))[0]?.[0]).toBe("The [Lighthouse] [Keeper]’s Inventory");
  });

  test("finds nothing for an empty search, for a single letter, and in drafts", async () => {
    for (const text of ["", " ", "a", "!?", "unfinished"]) expect([text, await found(text)]).toEqual([text, []]);
  });

  test("any characters are safe", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 60 }), async (text) => {
        expect((await quickSearch(world.site, text)).length).toBeLessThanOrEqual(6);
      }),
    );
    expect(await found("a".repeat(100_000))).toEqual([]);
  });

  test("returns few results and finds an old title among many newer mentions", async () => {
    await add("Quokka", "Ann", "");
    for (let index = 0; index < 210; index++) await add(`Number ${index}`, "Ann", "Like a quokka.");
    const results = await found("quokka");
    expect(results).toHaveLength(6);
    expect(results[0]?.[0]).toBe("[Quokka]");
    expect(results[1]?.[0]).toBe("Number 209");
  });
});
