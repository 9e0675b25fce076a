import { useCallback } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { useAnimatedImages } from "./animated-images.tsx";

/** `html` must be sanitized. */
export function PostHtml({ html, dropCap = false, className }: { html: string; dropCap?: boolean; className?: string }) {
  const { find, buttons } = useAnimatedImages();
  const watch = useCallback(
    (text: HTMLDivElement) => {
      const ends = [hideBrokenPictures(text), find(text)];
      return () => {
        for (const end of ends) end();
      };
    },
    [find],
  );
  return (
    <>
      <div
        // A new element for another text, so that it is observed again.
        key={html}
        ref={watch}
        dir="auto"
        className={classNames("prose-ink [overflow-wrap:anywhere]", dropCap && carriesDropCap(html) && "dropcap", className)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: platform/markup/render.ts has sanitized it.
        dangerouslySetInnerHTML={{ __html: demoteHeadings(html) }}
      />
      {buttons}
    </>
  );
}

/** Characters in three lines of the widest column. */
const dropCapMin = 240;

/** A drop cap is three lines high, so it needs a first paragraph as long that begins with a letter. */
export function carriesDropCap(html: string): boolean {
  const [, beginning = ""] = /^<p>([^<&].*?)<\/p>/s.exec(html) ?? [];
  return !beginning.includes("<br") && beginning.replaceAll(/<[^>]*>/g, "").length >= dropCapMin;
}

/** The page's only first-level heading is its title, so headings of a text are one level lower. They look the same. */
export function demoteHeadings(html: string): string {
  return html.replaceAll(/<h1(?=[\s>])/g, '<h2 class="h1"').replaceAll("</h1>", "</h2>");
}

/** Hides pictures that can't be loaded (specification §8, Post detail load). */
function hideBrokenPictures(text: HTMLElement): () => void {
  const hide = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.hidden = true;
  };
  // Failed before hydration.
  for (const img of text.querySelectorAll("img")) img.hidden = img.complete && img.naturalWidth === 0 && img.currentSrc !== "";
  // These events don't bubble.
  text.addEventListener("error", hide, true);
  return () => text.removeEventListener("error", hide, true);
}
