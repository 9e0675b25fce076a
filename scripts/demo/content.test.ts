import { describe, expect, test } from "vitest";
import { toSlug } from "#domain/posts/slug.ts";
import { ProfileInput } from "#domain/profiles/profile-input.ts";
import { coverPicker, readConversations, readMembers, readPortrait, readPosts } from "./content.ts";
import { seededRandom, shuffled } from "./random.ts";
import { administratorKey, signIns } from "./sign-ins.ts";

const members = readMembers();
const stories = readPosts();
const keys = new Set(members.map((member) => member.key));

describe("the sample community", () => {
  test("has about forty people and two hundred stories", () => {
    expect(members.length).toBeGreaterThanOrEqual(38);
    expect(stories.filter((story) => story.status === "active").length).toBeGreaterThanOrEqual(195);
    expect(stories.some((story) => story.status === "inactive")).toBe(true);
  });
  test("has a title, a unique slug, a known author and a text for each story", () => {
    expect(new Set(stories.map((story) => toSlug(story.title))).size).toBe(stories.length);
    expect(stories.filter((story) => !keys.has(story.author) || story.content.length < 200).map((story) => story.title)).toEqual([]);
  });
  test("has a cover for each story and every portrait that profiles name", () => {
    const pick = coverPicker();
    expect(stories.filter((story) => pick(story.cover).bytes.byteLength === 0)).toEqual([]);
    const portraits = members.flatMap((member) => member.portrait ?? []);
    expect(portraits.filter((key) => readPortrait(key).bytes.byteLength === 0)).toEqual([]);
    expect(portraits.length).toBeGreaterThan(20);
  });
  test("has profiles that the form would accept", () => {
    expect(members.filter((member) => !ProfileInput.safeParse(member).success).map((member) => member.key)).toEqual([]);
  });
  test("has messages between known people within the limit of length", () => {
    for (const { between, messages } of readConversations()) {
      expect(between.every((key) => keys.has(key))).toBe(true);
      expect(messages.every(({ from, text }) => between.includes(from) && text.trim() !== "" && text.length < 5000)).toBe(true);
    }
  });
  test("has sign-ins for reader, writer and administrator", () => {
    const addresses = members.map((member) => member.email);
    expect(signIns.filter(({ email }) => !addresses.includes(email))).toEqual([]);
    expect(signIns.find(({ role }) => role === "administrator")?.email).toBe(`${administratorKey}@example.com`);
  });
});

test("random numbers repeat in every run", () => {
  expect(shuffled([1, 2, 3, 4, 5], seededRandom(7))).toEqual(shuffled([1, 2, 3, 4, 5], seededRandom(7)));
  expect(shuffled([1, 2, 3, 4, 5, 6, 7, 8], seededRandom(7))).not.toEqual(shuffled([1, 2, 3, 4, 5, 6, 7, 8], seededRandom(8)));
});
