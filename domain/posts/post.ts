/** What everybody may know about a story: types, limits and texts; browser-safe (specification §3, §5, §9). */
export const slugMax = 35;
export const titleMax = 200;
/** Characters of Markdown. */
export const contentMax = 500_000;

export type PostStatus = "active" | "inactive";

export const postTexts = {
  titleRequired: "Title is required",
  titleTooLong: `Title cannot exceed ${titleMax} characters`,
  slugRequired: "Slug is required",
  slugTooLong: `Slug cannot exceed ${slugMax} characters`,
  slugTruncated: `Slug truncated to ${slugMax} characters for optimal compatibility`,
  contentTooLong: "Content cannot exceed 500,000 characters",
  contentTooComplicated: "The text is too deeply nested to be shown; please simplify its formatting",
  statusRequired: "Status is required",
  imageRequired: "Featured image is required",
  created: "Post published successfully!",
  deleted: "Post deleted successfully",
  deleteFailed: "Failed to delete post",
  deleteQuestion: "Are you sure you want to delete this post? This action cannot be undone.",
  createdDraft: "Draft saved successfully!",
};

/** What a card shows of a story. */
export type StoryCard = {
  id: string;
  title: string;
  summary: string;
  words: number;
  featuredImage: string | null;
  userId: string;
  userName: string;
  profileImage: string | null;
  status: PostStatus;
  featured: boolean;
  pinned: boolean;
  views: number;
  likesCount: number;
  createdAt: number;
  updatedAt: number;
};

/** A story with all that its reading page shows. */
export type Story = StoryCard & {
  /** Sanitised HTML. */
  content: string;
  /** By the viewer. */
  liked: boolean;
  bookmarked: boolean;
  author: { bio: string; location: string; website: string; twitter: string; github: string; linkedIn: string } | null;
};

/** Forms turn every line break into two characters on their way; the text keeps one. */
export function plainLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Words as readers count them; the read time is made of it. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
}
