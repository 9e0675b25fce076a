import { defaultSettings, type Settings } from "#domain/settings/settings.ts";

export type LandingStats = { users: string; posts: string; reads: string; online: string };

/** Sample numbers of the specification (§2), until an administrator chooses live ones (setting `landingFigures`). */
export const showcaseStats: LandingStats = { users: "15,420", posts: "48,391", reads: "2.54M", online: "8,290" };

export const emptyStats: LandingStats = { users: "0", posts: "0", reads: "0", online: "0" };

/** Stories on the landing page (specification §9). */
export const landingLimits = { latest: 6, featured: 6, pinned: 3 };

/** Replaces the default intro, which promises publishing without approval. */
const introWhereRulesHold = "{name} is where people write down what happened and other people sit with it. Free to read, free to write.";

export function landingSentences(
  { siteName, landingIntro, landingCommunity }: Settings,
  hasPosts: boolean,
): { intro: string; community: string } {
  const intro = hasPosts && landingIntro === defaultSettings.landingIntro ? introWhereRulesHold : landingIntro;
  const named = (text: string) => text.replaceAll("{name}", () => siteName);
  return { intro: named(intro), community: named(landingCommunity) };
}
