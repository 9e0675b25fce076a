import type { Piece } from "./highlight.ts";

/** Characters. */
export const searchMaxLength = 200;
/** Characters before suggestions are shown. */
export const quickSearchMin = 2;
export const quickSearchResults = 6;

export type FoundPost = { id: string; title: Piece[]; author: Piece[]; excerpt: Piece[]; featuredImage: string | null };
