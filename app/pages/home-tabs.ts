export const homeTabs = ["all", "trending", "following"] as const;
export type HomeTab = (typeof homeTabs)[number];
