export type PageWords = { title: string; lead: string; text: string };

export type PageText = PageWords & {
  path: string;
  version: number;
  updatedAt: number | null;
};

export const pageTextLimits = { title: 100, lead: 300, text: 50_000 };

export const pageTextWords = {
  saved: "Page saved successfully!",
  changed: "Someone else changed this page. Save again to replace their version with yours.",
};
