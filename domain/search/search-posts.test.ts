import fc from "fast-check";
import type { RawBuilder, SqlBool } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { transaction } from "#domain/site.ts";
import { containsTerms, matchesTerms, searchTerms } from "#platform/database/search/search.ts";
import { addSearchWords, searchColumns } from "#platform/database/search/search-words.ts";
import { picture } from "../../tests/support/pictures.ts";
import { searchPosts } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { anyCharacter } from "../../tests/support/xss.ts";
import { matching } from "./matching.server.ts";

// Both engines must find the same.

/** Oldest first, a day apart: title, author, text. */
const posts: [title: string, author: string, text: string][] = [
  ["The Lighthouse Keeper’s Inventory", "Maren Oduya", "Forty candles, one ladder, no visitors."],
  ["Night Bus, Window Seat", "Tobias Lindqvist", "The driver hums. Past the lighthouse the heater gives up."],
  ["A Word for Snow", "Maren Oduya", "My grandmother had eleven, and one for the snow that leaves the roof."],
  ["What the Ferry Brings", "Ida Lighthouse", "Salt, post, cousins; snow in a bad year."],
  ["Snow on the Line", "Tobias Lindqvist", "The train waits."],
  ["Letters to Maren", "Tobias Lindqvist", "You never wrote back."],
  ["Café de la Gare", "Zoë Müller", "Crème brûlée in Łódź, on Hauptstraße 5."],
  ["El Niño", "Zoë Müller", "Rain from the wrong side."],
  ["Ёлка", "Анна Ковалёва", "Мы ехали в ПОЕЗДЕ всю ночь."],
  ["हिन्दी की कहानी", "Meera", "रात की बस"],
  ["夜行バス", "Kenji Watanabe", "窓の外は雪だった。"],
  ["Tables and chairs", "Sam Carpenter", "Either/or, and/or; see carpenter.example.com, section 3-4 of the e-book. Don’t."],
  ["Bread does not know it is Monday", "Sam Carpenter", "Flour. Water. Salt."],
  ["The Mapmaker’s Second Mistake", "Ida Lighthouse", "A hill that was never there."],
];

let world: World;
beforeAll(async () => {
  world = await openWorld();
  for (const [index, [title, name, text]] of posts.entries()) await add({ index, title, name, text });
  await add({ index: 20, title: "Snow that nobody may read yet", name: "Maren Oduya", text: "", status: "inactive" });
});
afterAll(() => world.close());

type Post = { index: number; title: string; name: string; text: string; status?: "active" | "inactive" };

async function add({ index, title, name, text, status = "active" }: Post) {
  const day = world.site.now() + index * 24 * 60 * 60 * 1000;
  const columns = searchColumns({ title, userName: name, plainText: text });
  const texts = { title, content: text, markdown: text, summary: text, plainText: text, words: 0, ...columns };
  const rest = { featuredImage: null, featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0 };
  const post = {
    id: `story-${index}`,
    userId: world.maren.id,
    userName: name,
    ...texts,
    ...rest,
    status,
    publishedAt: day,
    createdAt: day,
    updatedAt: day,
  };
  await transaction(world.site, async (tx) => {
    await tx.db.insertInto("posts").values(post).execute();
    await addSearchWords(tx.db, [columns.searchTitle, columns.searchAuthor]);
  });
}

const titles = async (text: string, limit = 20) => (await searchPosts(world.site, { text, limit })).map((post) => post.title);

describe("a search", () => {
  const cases: [what: string, searches: string[], found: string[]][] = [
    [
      "title over author over text",
      ["lighthouse"],
      ["The Lighthouse Keeper’s Inventory", "The Mapmaker’s Second Mistake", "What the Ferry Brings", "Night Bus, Window Seat"],
    ],
    ["newest first among equals", ["snow"], ["Snow on the Line", "A Word for Snow", "What the Ferry Brings"]],
    [
      "a title that holds the name over its bearer’s stories",
      ["maren"],
      ["Letters to Maren", "A Word for Snow", "The Lighthouse Keeper’s Inventory"],
    ],
    ["every word must be there, in whatever place", ["maren snow", "SNOW, Maren!"], ["A Word for Snow"]],
    ["more words in the title first", ["the snow"], ["Snow on the Line", "What the Ferry Brings", "A Word for Snow"]],
    ["words that stand in no story together", ["ferry bread"], []],
    [
      "the beginning of the last word",
      ["lighth", "light", "lig"],
      ["The Lighthouse Keeper’s Inventory", "The Mapmaker’s Second Mistake", "What the Ferry Brings", "Night Bus, Window Seat"],
    ],
    ["but not of the ones before, nor of two letters", ["lig keeper", "li"], []],
    [
      "a long word beside another",
      ["the lighthouse"],
      ["The Lighthouse Keeper’s Inventory", "The Mapmaker’s Second Mistake", "What the Ferry Brings", "Night Bus, Window Seat"],
    ],
    ["the beginning of a longer one than any there is", ["the lighthousekeepe", "lighthouses the lighthousemen"], []],
    ["accents or none, on either side", ["cafe", "café", "CAFÉ", "cafe\u0301"], ["Café de la Gare"]],
    ["letters written otherwise", ["hauptstrasse", "Hauptstraße", "lodz", "łódź", "creme brulee"], ["Café de la Gare"]],
    ["names with marks", ["zoe muller", "zoë müller"], ["El Niño", "Café de la Gare"]],
    ["Cyrillic, capitals or not", ["поезде", "ПОЕЗДЕ", "ковалева", "елк"], ["Ёлка"]],
    ["Hindi, with its vowel signs", ["हिन्दी", "कहानी"], ["हिन्दी की कहानी"]],
    ["Japanese, from the beginning of a run of letters", ["夜行バ", "窓の外"], ["夜行バス"]],
    [
      "parts of what is written together",
      ["either", "example", "section 4", "book", "don't", "carpenter example com"],
      ["Tables and chairs"],
    ],
    ["blanks and signs alone", ["", "   ", "!?", "'\"*:&|()-", "\0"], []],
    ["the words of a query language as words", ["snow AND ferry", "snow OR ferry", "snow NOT ferry", "snow NEAR ferry"], []],
    ["a word from a draft", ["nobody"], []],
  ];
  test.each(cases.flatMap(([what, searches, found]) => searches.map((search) => ({ what, search, found }))))(
    "finds $what: $search",
    async ({ search, found }) => {
      expect(await titles(search)).toEqual(found);
    },
  );

  const typos: [search: string, found: string[]][] = [
    [
      "lighthuose",
      ["The Lighthouse Keeper’s Inventory", "The Mapmaker’s Second Mistake", "What the Ferry Brings", "Night Bus, Window Seat"],
    ],
    ["ligthouse keper", ["The Lighthouse Keeper’s Inventory"]],
    ["mapmakr mistaek", ["The Mapmaker’s Second Mistake"]],
    ["brread", ["Bread does not know it is Monday"]],
    ["ferri", ["What the Ferry Brings"]],
    ["linqvist", ["Letters to Maren", "Snow on the Line", "Night Bus, Window Seat"]],
    ["mraen oduya", ["A Word for Snow", "The Lighthouse Keeper’s Inventory"]],
    ["carpentr flour", ["Bread does not know it is Monday"]],
    ["хришна ковалвеа", []],
    ["ковалвеа", ["Ёлка"]],
    ["snw", []],
    ["zzzzzzzz", []],
    ["lighthouse zzzzzzzz", []],
  ];
  test.each(typos)("corrects typos where nothing else is found: %s", async (search, found) => {
    expect(await titles(search)).toEqual(found);
  });

  test("finds the same in the index and in each story", async () => {
    const { db, engine } = world.site;
    const searches = [...cases.flatMap(([, each]) => each), ...typos.map(([each]) => each), "nobody", "snow", "a the"];
    for (const terms of searches.map(searchTerms).filter(({ length }) => length > 0)) {
      const numbers = (matches: RawBuilder<SqlBool>) => db.selectFrom("posts").select("number").where(matches).orderBy("number").execute();
      const inIndex = await numbers(matchesTerms(engine, terms));
      expect(await numbers(containsTerms(engine, terms)), JSON.stringify(terms)).toEqual(inIndex);
      expect(await numbers(await matching(world.site, terms)), JSON.stringify(terms)).toEqual(inIndex);
    }
  });

  test("ends at its limit", async () => {
    expect(await titles("lighthouse", 2)).toEqual(["The Lighthouse Keeper’s Inventory", "The Mapmaker’s Second Mistake"]);
  });

  test("accepts any input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 60 }), async (search) => {
        expect(Array.isArray(await titles(search, 1))).toBe(true);
      }),
    );
    expect(await titles("nowhere ".repeat(5000))).toEqual([]);
    expect(await titles("a".repeat(100_000))).toEqual([]);
  });
});

test("a published story is found, also by its author's new name", async () => {
  const hana = await addMember(world, "Hana Novak");
  const post = { title: "Zinnober", slug: "zinnober", content: "A *red* like no other.", status: "active" } as const;
  await createPost(world.site, hana, post, await picture());
  expect(await titles("novak")).toEqual(["Zinnober"]);
  expect(await titles("zinober")).toEqual(["Zinnober"]);
  const profile = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
  await updateProfile(world.site, hana, { ...profile, userName: "Hana Dvořáková" });
  expect([await titles("dvorakova"), await titles("novak"), await titles("other dvorak")]).toEqual([["Zinnober"], [], ["Zinnober"]]);
  expect(await titles("dvrakova")).toEqual(["Zinnober"]);
});

test("a story with more words than an index takes is still published", async () => {
  const content = Array.from({ length: 70_000 }, (_, index) => `w${index.toString(36)}`).join(" ");
  const post = { title: "Endless", slug: "endless", content, status: "active" } as const;
  await createPost(world.site, world.tobias, post, await picture());
  expect(await titles("endless wfe3")).toEqual(["Endless"]);
});
