import { afterEach, expect, test, vi } from "vitest";
import { isSearch } from "#server/limits/route-class.ts";
import { fetchSearchResults } from "./requests.ts";

afterEach(() => vi.restoreAllMocks());

function answer(pages: { messages: string[]; next: number | null }[]) {
  let request = 0;
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(pages[request++] ?? { messages: [], next: 1 }));
}

test("a search in a chat counts as one", async () => {
  const requests = answer([{ messages: [], next: null }]);
  await fetchSearchResults("maren", "tobias", "word", 9);
  expect(requests.mock.calls.map(([url]) => isSearch(String(url)))).toEqual([true]);
});

test("a search goes on until it finds something, ten times at most", async () => {
  const found = { messages: ["found"], next: 7 };
  const requests = answer([{ messages: [], next: 9 }, { messages: [], next: 8 }, found]);
  expect(await fetchSearchResults("maren", "tobias", "word", 10)).toEqual(found);
  expect(requests.mock.calls.map(([url]) => new URLSearchParams(String(url).split("?")[1]).get("before"))).toEqual(["10", "9", "8"]);
  expect(await fetchSearchResults("maren", "tobias", "word", 10)).toEqual({ messages: [], next: 1 });
  expect(requests).toHaveBeenCalledTimes(13);
});
