/** What an administrator can set (specification, messaging and administration §9, Settings defaults). */
export type Settings = {
  siteName: string;
  siteDescription: string;
  allowRegistration: boolean;
  requireEmailVerification: boolean;
  /** Drafts count too. */
  maxPostsPerUser: number;
};

export const defaultSettings: Settings = {
  siteName: "Inkstead",
  siteDescription: "A platform for writers and readers",
  allowRegistration: true,
  requireEmailVerification: true,
  maxPostsPerUser: 100,
};
