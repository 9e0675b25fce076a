import fc from "fast-check";
import { expect, test } from "vitest";
import { codeBlock, type Edit, heading, link, prefixLines, type Selection, wrap } from "./markdown-edits.ts";

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

test("bold is put around the selection and taken away again", () => {
  expect(edited("no [useful] skills", (s) => wrap(s, "**"))).toBe("no **[useful]** skills");
  expect(edited("no **[useful]** skills", (s) => wrap(s, "**"))).toBe("no [useful] skills");
});
test("underline has a beginning and an end of its own", () => {
  expect(edited("[all] of it", (s) => wrap(s, "<u>", "</u>"))).toBe("<u>[all]</u> of it");
});
test("with nothing selected the marks stand around the cursor", () => {
  expect(edited("a []b", (s) => wrap(s, "*"))).toBe("a *[]*b");
});
test("a list begins every selected line, numbered or not", () => {
  expect(edited("one\nt[wo\nth]ree", (s) => prefixLines(s, () => "- ", /^- /))).toBe("one\n- two\n- three[]");
  expect(edited("[one\ntwo]", (s) => prefixLines(s, (line) => `${line}. `, /^\d+\. /))).toBe("1. one\n2. two[]");
  expect(edited("[- one\n- two]", (s) => prefixLines(s, () => "- ", /^- /))).toBe("one\ntwo[]");
});
test("a heading changes its level, and the same level again takes it away", () => {
  expect(edited("wha[]t", (s) => heading(s, 2))).toBe("## what[]");
  expect(edited("## wha[]t", (s) => heading(s, 1))).toBe("# what[]");
  expect(edited("# wha[]t", (s) => heading(s, 1))).toBe("what[]");
});
test("a code block stands on lines of its own", () => {
  expect(edited("a [b] c", codeBlock)).toBe("a \n```\n[b]\n```\n c");
  expect(edited("[b]", codeBlock)).toBe("```\n[b]\n```");
});
test("a link waits for its address", () => {
  expect(edited("see [this]", link)).toBe("see [this]([https://])");
});
test("no edit loses what was written, wherever the selection is", () => {
  const letters = (text: string) => text.replace(/[^a-z]/g, "");
  const edits = [
    (s: Selection) => wrap(s, "**"),
    (s: Selection) => heading(s, 3),
    codeBlock,
    (s: Selection) => prefixLines(s, () => "> ", /^> /),
  ];
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "#", "*", ">") }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...edits),
      (text, a, b, edit) => {
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const { from: start, to: end, insert } = edit({ text, from, to });
        expect(letters(text.slice(0, start) + insert + text.slice(end))).toBe(letters(text));
      },
    ),
  );
});
