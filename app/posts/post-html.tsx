import { useCallback } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { useAnimatedImages } from "./animated-images.tsx";

/** A story's text. Only for HTML that the server has sanitised when it was written. */
export function PostHtml({ html, className }: { html: string; className?: string }) {
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
        className={classNames("prose-ink [overflow-wrap:anywhere]", className)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: platform/markup/render.ts let nothing through that runs.
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {buttons}
    </>
  );
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
