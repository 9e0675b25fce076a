import { useEffect, useRef } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { pictureUrl } from "#domain/files/picture.ts";

/** A story's text. Only for HTML that the server has sanitised when it was written. */
export function StoryHtml({ html, className }: { html: string; className?: string }) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => (text.current ? hideLostPictures(text.current) : undefined), []);
  useEffect(() => (text.current ? holdStill(text.current) : undefined), []);
  return (
    <div
      ref={text}
      dir="auto"
      className={classNames("prose-ink [overflow-wrap:anywhere]", className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: platform/markup/render.ts let nothing through that runs.
      dangerouslySetInnerHTML={{ __html: html }}
    />
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

const kept = /^\/files\/([0-9a-z]{12,40})$/;

/** Who has asked for less motion sees the first frame of a picture that moves: the sizes made for pages stand still. */
function holdStill(text: HTMLElement): () => void {
  const asked = window.matchMedia("(prefers-reduced-motion: reduce)");
  const hold = () => {
    if (!asked.matches) return;
    for (const img of text.querySelectorAll("img")) {
      const [, id] = kept.exec(img.getAttribute("src") ?? "") ?? [];
      if (id) img.src = pictureUrl(id, 1200, "webp");
    }
  };
  hold();
  asked.addEventListener("change", hold);
  return () => asked.removeEventListener("change", hold);
}
