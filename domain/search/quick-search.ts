import type { Piece } from "./highlight.ts";

/** Characters that a search takes; browser-safe. */
export const searchMaxLength = 200;
/** Characters from which on a search is made while it is typed. */
export const quickSearchMin = 2;
export const quickSearchResults = 6;

export type FoundPost = { id: string; title: Piece[]; author: Piece[]; excerpt: Piece[]; featuredImage: string | null };
