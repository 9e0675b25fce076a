import { describe, expect, test } from "vitest";
import { listPath, pageParams, readPageParams, readText } from "./page-params.ts";

const read = (query: string) => readPageParams(new URLSearchParams(query));

describe("page parameters", () => {
  test("are read from the URL", () => {
    expect(read("page=7&from=night-bus&fromPage=6")).toEqual({ page: 7, anchor: { id: "night-bus", page: 6 } });
    expect(read("page=7")).toEqual({ page: 7, anchor: undefined });
    expect(read("")).toEqual({ page: 1, anchor: undefined });
  });

  test.each(["0", "-3", "1.5", "1e300", "NaN", "second", "", "0x1F.", "Infinity"])("page %j is page 1", (page) => {
    expect(read(`page=${page}&from=night-bus&fromPage=${page}`)).toEqual({ page: 1, anchor: { id: "night-bus", page: 1 } });
  });

  test("are written without empty ones", () => {
    const present = { page: 6, first: "night bus & co" };
    const address = listPath("/admin/posts", { q: "lamps & oil", sort: "", ...pageParams(present, 7) });
    const params = new URL(address, "http://inkstead.test").searchParams;
    expect([...params.keys()]).toEqual(["q", "page", "from", "fromPage"]);
    expect(readText(params, "q")).toBe("lamps & oil");
    expect(readPageParams(params)).toEqual({ page: 7, anchor: { id: "night bus & co", page: 6 } });
  });

  test("are omitted for the first page", () => {
    expect(listPath("/admin/posts", { q: "", ...pageParams({ page: 6, first: "night-bus" }, 1) })).toBe("/admin/posts");
  });

  test("texts are trimmed and cut at the maximum length", () => {
    expect(readText(new URLSearchParams({ q: `  ${"a".repeat(300)}` }), "q")).toBe("a".repeat(200));
    expect(readText(new URLSearchParams(), "q")).toBe("");
  });
});
