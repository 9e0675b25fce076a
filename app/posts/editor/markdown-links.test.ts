import { expect, test } from "vitest";
import { link, linkAt, linkUrl, pastedLink, unlink } from "./markdown-links.ts";

const at = (marked: string) => ({ text: marked.replace(/[«»]/g, ""), from: marked.indexOf("«"), to: marked.indexOf("»") - 1 });
const changed = (marked: string, { from, to, insert }: { from: number; to: number; insert: string }) => {
  const { text } = at(marked);
  return text.slice(0, from) + insert + text.slice(to);
};

test("refuses invalid addresses", () => {
  for (const typed of ["", " ", "https://", "http://", "#", "words", "two words", "javascript:alert(1)", "data:text/html,x", "https://x y"])
    expect(linkUrl(typed)).toBeUndefined();
});

test("accepts addresses without https", () => {
  expect(linkUrl(" https://example.com/a_(b) ")).toBe("https://example.com/a_%28b%29");
  expect(linkUrl("example.com/tides")).toBe("https://example.com/tides");
  expect(linkUrl("localhost:3000/post")).toBe("https://localhost:3000/post");
  expect(linkUrl("maren@example.com")).toBe("mailto:maren@example.com");
  expect(linkUrl("/post/tides")).toBe("/post/tides");
});

test("a link replaces the selection or the link around it", () => {
  expect(changed("see «this»", link(at("see «this»"), { text: "this", url: "https://a.example" }))).toBe("see [this](https://a.example)");
  const there = "see [th«»is](https://a.example)!";
  expect(linkAt(at(there))).toMatchObject({ text: "this", url: "https://a.example" });
  expect(changed(there, link(at(there), { text: "that", url: "https://b.example" }))).toBe("see [that](https://b.example)!");
  expect(changed(there, unlink(at(there)))).toBe("see this!");
  expect(linkAt(at("![a d«»oor](/files/f1)"))).toBeUndefined();
});

test("an address pasted over words links them; over an address or without a selection it is text", () => {
  const pasted = (marked: string) => {
    const edit = pastedLink(at(marked), "https://a.example/x\n");
    return edit && changed(marked, edit);
  };
  expect(pasted("see «this one»")).toBe("see [this one](https://a.example/x)");
  for (const marked of ["see «»this", "«https://b.example»", "«one\ntwo»", "[«this»](https://b.example)"])
    expect(pasted(marked)).toBeUndefined();
});
