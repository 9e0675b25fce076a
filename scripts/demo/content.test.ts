import { describe, expect, test } from "vitest";
import { toSlug } from "#domain/posts/slug.ts";
import { ProfileInput } from "#domain/profiles/profile-input.ts";
import { coverPicker, readConversations, readMembers, readPortrait, readPosts } from "./content.ts";
import { seededRandom, shuffled } from "./random.ts";
import { administratorKey, signIns } from "./sign-ins.ts";

const members = readMembers();
const posts = readPosts();
const keys = new Set(members.map((member) => member.key));

describe("the sample community", () => {
  test("has about forty people and two hundred stories", () => {
    expect(members.length).toBeGreaterThanOrEqual(38);
    expect(posts.filter((post) => post.status === "active").length).toBeGreaterThanOrEqual(195);
    expect(posts.some((post) => post.status === "inactive")).toBe(true);
  });
  test("has a title, a unique slug, a known author and a text for each story", () => {
    expect(new Set(posts.map((post) => toSlug(post.title))).size).toBe(posts.length);
    expect(posts.filter((post) => !keys.has(post.author) || post.content.length < 200).map((post) => post.title)).toEqual([]);
  });
  test("has a cover for each story and every portrait that profiles name", () => {
    const pick = coverPicker();
    expect(posts.filter((post) => pick(post.cover).bytes.byteLength === 0)).toEqual([]);
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
