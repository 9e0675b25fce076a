export type LandingFigures = { users: string; posts: string; reads: string; online: string };

/** Those which the specification fixes on purpose. */
export const showcaseFigures: LandingFigures = { users: "15,420", posts: "48,391", reads: "2.54M", online: "8,290" };

/** While they can't be read. */
export const noFigures: LandingFigures = { users: "0", posts: "0", reads: "0", online: "0" };

/** How many stories the landing page gives away (specification §9). */
export const landingLimits = { latest: 6, featured: 6, pinned: 3 };
