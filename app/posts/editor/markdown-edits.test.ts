import fc from "fast-check";
import { expect, test } from "vitest";
import { codeBlock, type Edit, heading, list, marksAt, quote, type Selection, wrap } from "./markdown-edits.ts";

/** `[` and `]` mark what is selected. */
function select(marked: string): Selection {
  const from = marked.indexOf("[");
  return { text: marked.replace("[", "").replace("]", ""), from, to: marked.indexOf("]") - 1 };
}
function apply({ text }: Selection, { from, to, insert, selectFrom, selectTo }: Edit): string {
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, selectFrom)}[${changed.slice(selectFrom, selectTo)}]${changed.slice(selectTo)}`;
}
const edited = (marked: string, edit: (selection: Selection) => Edit) => apply(select(marked), edit(select(marked)));

test("adds and removes bold around the selection", () => {
  expect(edited("no [useful] skills", (s) => wrap(s, "bold"))).toBe("no **[useful]** skills");
  expect(edited("no **[useful]** skills", (s) => wrap(s, "bold"))).toBe("no [useful] skills");
  expect(edited("no [**useful**] skills", (s) => wrap(s, "bold"))).toBe("no [useful] skills");
  expect(edited("no **use[]ful** skills", (s) => wrap(s, "bold"))).toBe("no use[]ful skills");
});
test("spaces at the ends of a selection stay outside the marks", () => {
  expect(edited("the[ butcher ]said", (s) => wrap(s, "bold"))).toBe("the **[butcher]** said");
});
test("distinguishes bold from italic", () => {
  expect(edited("**[all]**", (s) => wrap(s, "italic"))).toBe("***[all]***");
  expect(edited("***[all]***", (s) => wrap(s, "italic"))).toBe("**[all]**");
  expect(edited("***[all]***", (s) => wrap(s, "bold"))).toBe("*[all]*");
});
test("marks each selected line after its list or quote sign", () => {
  expect(edited("[- one\n\n2. two]", (s) => wrap(s, "bold"))).toBe("[- **one**\n\n2. **two**]");
  expect(edited("[- **one**\n\n2. **two**]", (s) => wrap(s, "bold"))).toBe("[- one\n\n2. two]");
});
test("underline has different marks at its start and end", () => {
  expect(edited("[all] of it", (s) => wrap(s, "underline"))).toBe("<u>[all]</u> of it");
});
test("without a selection the marks are around the cursor", () => {
  expect(edited("a []b", (s) => wrap(s, "italic"))).toBe("a *[]*b");
});
test("makes each selected line a list item and keeps the selection", () => {
  expect(edited("one\nt[wo\nth]ree", (s) => list(s, "bullet"))).toBe("one\n- t[wo\n- th]ree");
  expect(edited("[one\n\ntwo]", (s) => list(s, "numbered"))).toBe("[1. one\n\n2. two]");
  expect(edited("[- one\n- two]", (s) => list(s, "bullet"))).toBe("[one\ntwo]");
});
test("changes the kind of a list, also in a quote", () => {
  expect(edited("[- one\n- two]", (s) => list(s, "numbered"))).toBe("[1. one\n2. two]");
  expect(edited("[1. one\n- two]", (s) => list(s, "bullet"))).toBe("[- one\n- two]");
  expect(edited("[> - one\n>   - two]", (s) => list(s, "numbered"))).toBe("[> 1. one\n>   2. two]");
});
test("quotes each selected line", () => {
  expect(edited("[one\n\ntwo]", quote)).toBe("[> one\n> \n> two]");
  expect(edited("[> one\n> \n> two]", quote)).toBe("[one\n\ntwo]");
});
test("changes the level of a heading, and removes it at the same level", () => {
  expect(edited("wha[]t", (s) => heading(s, 2))).toBe("## wha[]t");
  expect(edited("## wha[]t", (s) => heading(s, 1))).toBe("# wha[]t");
  expect(edited("# wha[]t", (s) => heading(s, 1))).toBe("wha[]t");
});
test("a code block is on separate lines", () => {
  expect(edited("a [b] c", codeBlock)).toBe("a \n```\n[b]\n```\n c");
  expect(edited("[b]", codeBlock)).toBe("```\n[b]\n```");
});
test("finds the marks that apply", () => {
  const marks = (marked: string) => marksAt(select(marked), false);
  expect(marks("a **bo[]ld** word")).toEqual(["bold"]);
  expect(marks("a ***[both]*** word")).toEqual(["bold", "italic"]);
  expect(marks("a **bold** wo[]rd")).toEqual([]);
  expect(marks("[- one\n- two]")).toEqual(["bullet"]);
  expect(marks("[- **one**\n\n- **two**]")).toEqual(["bold", "bullet"]);
  expect(marks("## T[]wo")).toEqual(["heading2"]);
  expect(marks("> 1. <u>o[]ne</u>")).toEqual(["underline", "numbered", "quote"]);
});
test("no edit loses text, for any selection", () => {
  const letters = (text: string) => text.replace(/[^a-z]/g, "");
  const edits = [
    (s: Selection) => wrap(s, "bold"),
    (s: Selection) => wrap(s, "italic"),
    (s: Selection) => heading(s, 3),
    (s: Selection) => list(s, "numbered"),
    codeBlock,
    quote,
  ];
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "#", "*", ">", "-") }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...edits),
      (text, a, b, edit) => {
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const { from: start, to: end, insert, selectFrom, selectTo } = edit({ text, from, to });
        const changed = text.slice(0, start) + insert + text.slice(end);
        expect(letters(changed)).toBe(letters(text));
        expect(0 <= selectFrom && selectFrom <= selectTo && selectTo <= changed.length).toBe(true);
      },
    ),
  );
});
