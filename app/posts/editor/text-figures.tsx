import { useEffect, useState } from "react";
import { fullCount, readMinutes } from "#domain/format.ts";
import { countWords, withoutSigns } from "#domain/posts/post.ts";

const typingPauseMs = 700;

/** Words and reading time, counted when there is time, so that a long text types as fast as a short one. */
export function TextFigures({ initial, text }: { initial: string; text: React.RefObject<() => string> }) {
  const [settled, setSettled] = useState(initial);
  const [count] = useState(wordCounter);
  useEffect(() => {
    let seen: (() => string) | undefined;
    const timer = setInterval(() => {
      if (text.current === seen) return;
      seen = text.current;
      setSettled(seen());
    }, typingPauseMs);
    return () => clearInterval(timer);
  }, [text]);
  const words = count(settled);
  return (
    <div className="num flex h-10 items-center justify-between border-t border-line px-4 text-sm text-ink-2">
      <span>
        {fullCount(words)} {words === 1 ? "word" : "words"}
      </span>
      <span>{readMinutes(words)} min read</span>
    </div>
  );
}

/** Counts line by line and remembers: of a long text mostly one line is new. */
function wordCounter(): (text: string) => number {
  let known = new Map<string, number>();
  return (text) => {
    const lines = text.split("\n");
    const next = new Map<string, number>();
    let words = 0;
    for (const line of lines) {
      const count = known.get(line) ?? countWords(withoutSigns(line));
      next.set(line, count);
      words += count;
    }
    known = next;
    return words;
  };
}
