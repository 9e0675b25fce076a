import type { ReactNode } from "react";
import { type PictureWidth, pictureSources, pictureUrl, widthAtLeast } from "#domain/files/picture.ts";
import { classNames } from "./class-names.ts";
import { ImageOff } from "./icons.tsx";
import { useImageError } from "./use-image-error.ts";

const shapes = {
  cover: "aspect-[1200/630]",
  square: "aspect-square",
  thumb: "aspect-[4/3]",
  "thumb-then-cover": "aspect-[4/3] sm:aspect-[1200/630]",
};

export type PictureProps = {
  /** File id. */
  file: string | null;
  alt?: string | undefined;
  shape?: keyof typeof shapes | undefined;
  sizes: string;
  first?: boolean | undefined;
  placeholder?: string | undefined;
  className?: string | undefined;
  children?: ReactNode;
};

export function Picture({
  file,
  alt = "",
  shape = "cover",
  sizes,
  first,
  placeholder = "No featured image",
  className = "rounded-lg",
  children,
}: PictureProps) {
  const { failed, watch } = useImageError(file ?? "");
  const shown = file !== null && !failed;
  const fixed = /^\d+px$/.test(sizes) ? Number.parseInt(sizes, 10) * (shape === "square" ? 1200 / 630 : 1) : undefined;
  // A square shows the middle of a wider picture.
  const shownSizes = fixed ? `${Math.ceil(fixed)}px` : sizes;
  // Up to three device pixels to one of CSS.
  const [smallest, largest]: [PictureWidth, PictureWidth] = fixed ? [widthAtLeast(fixed), widthAtLeast(3 * fixed)] : [96, 1200];
  return (
    <div className={classNames("picture", shapes[shape], className)}>
      {shown ? (
        <picture>
          <source type="image/avif" srcSet={pictureSources(file, "avif", smallest, largest)} sizes={shownSizes} />
          <source type="image/webp" srcSet={pictureSources(file, "webp", smallest, largest)} sizes={shownSizes} />
          <img
            {...watch}
            src={pictureUrl(file, 640)}
            alt={alt}
            width={1200}
            height={630}
            loading={first ? "eager" : "lazy"}
            fetchPriority={first ? "high" : undefined}
            decoding="async"
          />
        </picture>
      ) : (
        <span className="flex size-full flex-col items-center justify-center gap-2 p-2 text-center text-sm text-ink-3">
          <ImageOff aria-hidden className="size-6 shrink-0" />
          <span className="@max-[10rem]:sr-only">{placeholder}</span>
        </span>
      )}
      {children}
    </div>
  );
}
