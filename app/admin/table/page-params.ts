import { wholeNumber } from "#domain/forms/whole-number.ts";
import type { NumberedPage } from "#domain/numbered-pages.ts";

/** Invalid page numbers become page 1. `anchor`: a post whose page is known, to count from. */
export function readPageParams(params: URLSearchParams): Omit<NumberedPage, "limit"> {
  const from = params.get("from");
  return { page: pageIn(params, "page"), anchor: from ? { id: from, page: pageIn(params, "fromPage") } : undefined };
}

function pageIn(params: URLSearchParams, name: string): number {
  return wholeNumber(params.get(name)) || 1;
}

export function readText(params: URLSearchParams, name: string, maxLength = 200): string {
  return params.get(name)?.trim().slice(0, maxLength) ?? "";
}

/** Leaves out empty parameters. */
export function listPath(path: string, chosen: Record<string, string | number>): string {
  const params = Object.entries(chosen).flatMap(([name, value]) => (value === "" ? [] : [[name, String(value)]]));
  return params.length > 0 ? `${path}?${new URLSearchParams(params)}` : path;
}

export function pageParams(present: { page: number; first: string | undefined }, page: number): Record<string, string | number> {
  return page > 1 ? { page, from: present.first ?? "", fromPage: present.page } : {};
}

/** For an empty list of a search that may have older matches. */
export const onlyNewestText = "Only the newest matches were checked. Add a word to find older ones";
