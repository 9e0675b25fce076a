import { useCallback } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { useAnimatedImages } from "./animated-images.tsx";

/** A story's text. Only for HTML that the server has sanitised when it was written. */
export function PostHtml({ html, dropCap = false, className }: { html: string; dropCap?: boolean; className?: string }) {
  const { find, buttons } = useAnimatedImages();
  const watch = useCallback(
    (text: HTMLDivElement) => {
      const ends = [hideLostPictures(text), find(text)];
      return () => {
        for (const end of ends) end();
      };
    },
    [find],
  );
  return (
    <>
      <div
        // Another text is another element, and watched again.
        key={html}
        ref={watch}
        dir="auto"
        className={classNames("prose-ink [overflow-wrap:anywhere]", dropCap && carriesDropCap(html) && "dropcap", className)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: platform/markup/render.ts let nothing through that runs.
        dangerouslySetInnerHTML={{ __html: belowTitle(html) }}
      />
      {buttons}
    </>
  );
}

/** Characters in three lines of the widest column. */
const dropCapMin = 240;

/** A drop cap is three lines high: it needs a first paragraph as long, which begins with a letter of its own. */
export function carriesDropCap(html: string): boolean {
  const [, beginning = ""] = /^<p>([^<&].*?)<\/p>/s.exec(html) ?? [];
  return !beginning.includes("<br") && beginning.replaceAll(/<[^>]*>/g, "").length >= dropCapMin;
}

/** A page has one heading of the first level, its title: those of a text keep their look and stand one level below. */
export function belowTitle(html: string): string {
  return html.replaceAll(/<h1(?=[\s>])/g, '<h2 class="h1"').replaceAll("</h1>", "</h2>");
}

/** A picture that can't be loaded leaves no torn frame behind (specification §8, Post detail load). */
function hideLostPictures(text: HTMLElement): () => void {
  const hide = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.hidden = true;
  };
  // Those that failed before the page came to life.
  for (const img of text.querySelectorAll("img")) img.hidden = img.complete && img.naturalWidth === 0 && img.currentSrc !== "";
  // Such events don't bubble.
  text.addEventListener("error", hide, true);
  return () => text.removeEventListener("error", hide, true);
}
