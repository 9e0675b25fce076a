import { useLiveProfile } from "#app/live/live-profiles.ts";
import { pictureUrl, widthAtLeast } from "#domain/files/picture.ts";
import { initials } from "#domain/format.ts";
import { classNames } from "./class-names.ts";
import { useImageError } from "./use-image-error.ts";

const tints = ["clay", "ochre", "moss", "verdigris", "sky", "slate", "plum", "rose"] as const;

export type AvatarProps = {
  id: string;
  name: string;
  /** File id. */
  profileImage?: string | null | undefined;
  /** Pixels. */
  size?: number | undefined;
  className?: string | undefined;
};

/** Hidden from screen readers, as the name is always next to it. */
export function Avatar({ id, size = 24, className, ...shown }: AvatarProps) {
  const { name, profileImage } = useLiveProfile({ id, ...shown });
  const { failed, watch } = useImageError(profileImage ?? "");
  const style = { width: size, height: size };
  if (profileImage && !failed) {
    const [src, src2x] = [size, 2 * size].map((pixels) => pictureUrl(profileImage, widthAtLeast(pixels), "webp"));
    return (
      <img
        {...watch}
        src={src}
        srcSet={src2x === src ? undefined : `${src} 1x, ${src2x} 2x`}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        className={classNames("avatar", className)}
        style={style}
      />
    );
  }
  const tint = tintOf(id);
  return (
    <span
      aria-hidden
      className={classNames(`avatar bg-tint-${tint} text-tint-${tint}-ink`, className)}
      style={{ ...style, fontSize: Math.max(9, Math.round(size * 0.4)), letterSpacing: ".01em" }}
    >
      {initials(name)}
    </span>
  );
}

function tintOf(id: string): (typeof tints)[number] {
  let hash = 0;
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return tints[hash % tints.length] ?? "slate";
}
