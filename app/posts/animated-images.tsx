import { useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "#app/ui/button.tsx";
import { Pause, Play } from "#app/ui/icons.tsx";
import { fileUrl, pictureUrl } from "#domain/files/picture.ts";

type AnimatedImage = { id: string; img: HTMLImageElement; place: HTMLElement };

/** Animated pictures are shown in their original size, as resized variants are not animated. */
const ownFile = /^\/files\/([0-9a-z]{12,40})$/;

export function useAnimatedImages() {
  const [pictures, setPictures] = useState<AnimatedImage[]>([]);
  const find = useCallback((text: HTMLElement) => {
    const found = [...text.querySelectorAll("img")].flatMap((img) => {
      const [, id] = ownFile.exec(img.getAttribute("src") ?? "") ?? [];
      return id ? [{ id, img, place: makePlace(img) }] : [];
    });
    setPictures(found);
    return () => {
      for (const each of found) leave(each);
    };
  }, []);
  const buttons = pictures.map((each, i) => createPortal(<MotionButton {...each} />, each.place, `${i}`));
  return { find, buttons };
}

function makePlace(img: HTMLImageElement): HTMLElement {
  const place = document.createElement("span");
  place.className = "relative block min-h-24 w-fit min-w-24 max-w-full has-[img[hidden]]:hidden";
  const shown = img.closest("a") ?? img;
  shown.replaceWith(place);
  place.append(shown);
  return place;
}

function leave({ id, img, place }: AnimatedImage): void {
  img.src = fileUrl(id);
  place.replaceWith(img.closest("a") ?? img);
}

function MotionButton({ id, img }: AnimatedImage) {
  const [moves, setMoves] = useState(true);
  useEffect(() => {
    const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
    const follow = () => setMoves(!reducedMotion.matches);
    follow();
    reducedMotion.addEventListener("change", follow);
    return () => reducedMotion.removeEventListener("change", follow);
  }, []);
  useEffect(() => {
    img.src = moves ? fileUrl(id) : pictureUrl(id, 1200, "webp");
  }, [img, id, moves]);
  return (
    <IconButton
      icon={moves ? Pause : Play}
      label={moves ? "Pause animation" : "Play animation"}
      variant="secondary"
      className="absolute right-3 bottom-3"
      onClick={() => setMoves(!moves)}
    />
  );
}
