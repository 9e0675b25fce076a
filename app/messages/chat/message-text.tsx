import { Marked } from "#app/messages/marked.tsx";
import { findLinks } from "#domain/messages/links.ts";

/** What someone wrote, its addresses as links; what is searched for is marked. */
export function MessageText({ text, term = "" }: { text: string; term?: string }) {
  let at = 0;
  return (
    <span dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {findLinks(text).map((piece) => {
        const key = at;
        at += piece.text.length;
        const marked = <Marked key={key} text={piece.text} term={term} />;
        if (!piece.href) return marked;
        return (
          <a
            key={key}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            dir="ltr"
            className="underline hover:no-underline"
          >
            {marked}
          </a>
        );
      })}
    </span>
  );
}
