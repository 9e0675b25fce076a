import type { Preview, PreviewFormat } from "#platform/files/preview.ts";
import { pictureWidths } from "./picture.ts";

export type RequestedPreview = Omit<Preview, "width" | "height" | "fills" | "quality"> & {
  width: number;
  height: number;
  /** 1 to 100, undefined for the format's own. */
  quality: number | undefined;
};

const memberSides = [32, 64, 96, 128, 192, 256, 320, 480, 640, 800, 960, 1200, 1600, 2000] as const;
const qualities = [30, 50, 65, 80, 90] as const;
const avifQualityMax = 70;
/** For a side without a number. */
const defaultSidePx = 2000;
const borders = [0, 1, 2, 5, 10, 20, 50, 100] as const;
const radii = [0, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/**
 * Rounds each number up to the next of a fixed list, so that a picture has few previews, which can be stored. Visitors get the widths of
 * the site's own pages, members up to 2000 pixels.
 */
export function roundToGrid(requested: RequestedPreview, isVisitor: boolean): Preview {
  const sides = isVisitor ? pictureWidths : memberSides;
  const { width, height, format, quality } = requested;
  return {
    ...requested,
    width: nextSize(sides, width || defaultSidePx),
    height: height > 0 ? nextSize(sides, height) : defaultSidePx,
    fills: width > 0 && height > 0,
    quality: quality === undefined || !hasQuality(format) ? undefined : Math.min(nextSize(qualities, quality), qualityMax(format)),
    borderWidth: nextSize(borders, requested.borderWidth),
    borderColor: nearestColor(requested.borderColor),
    borderRadius: nextSize(radii, requested.borderRadius),
    opacity: Math.ceil(requested.opacity * 10) / 10,
    rotation: (((Math.round(requested.rotation / 90) * 90) % 360) + 360) % 360,
    background: requested.background && nearestColor(requested.background),
  };
}

export function isPlain({ height, quality, borderWidth, borderRadius, opacity, rotation, background }: Preview): boolean {
  const isWhole = height === defaultSidePx && quality === undefined && background === undefined;
  return isWhole && borderWidth + borderRadius + rotation === 0 && opacity === 1;
}

function hasQuality(format: PreviewFormat): boolean {
  return format === "jpeg" || format === "webp" || format === "avif";
}

function qualityMax(format: PreviewFormat): number {
  return format === "avif" ? avifQualityMax : 100;
}

function nextSize(grid: readonly number[], value: number): number {
  return grid.find((each) => each >= value) ?? (grid.at(-1) as number);
}

function nearestColor(color: string): string {
  const parts = /^#(..)(..)(..)$/.exec(color)?.slice(1) ?? ["00", "00", "00"];
  const digit = (part: string) => Math.round(Number.parseInt(part, 16) / 17).toString(16);
  return `#${parts.map((part) => digit(part).repeat(2)).join("")}`;
}
