import { fold } from "#domain/fold.ts";

export function Marked({ text, term }: { text: string; term: string }) {
  const wanted = fold(term);
  const folded = fold(text);
  // Where folding changes the length, places in one are not places in the other; then it is found, but not marked.
  if (wanted === "" || folded.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-[2px] bg-chat-tick px-0.5 text-[#17212d]">
        {text.slice(at, at + wanted.length)}
      </mark>,
    );
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
