import type { Piece } from "./highlight.ts";

/** Characters. */
export const searchMaxLength = 200;
/** Characters before suggestions are shown. */
export const quickSearchMinLength = 2;
export const quickSearchMaxResults = 6;

export type FoundPost = { id: string; title: Piece[]; author: Piece[]; excerpt: Piece[]; featuredImage: string | null };
