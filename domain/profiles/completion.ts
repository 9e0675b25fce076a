type ProfileFields = { userName: string; bio: string; location: string; profileImage: string | null; website: string };

const asked = [
  { field: "userName", called: "a display name" },
  { field: "bio", called: "a bio" },
  { field: "location", called: "a location" },
  { field: "profileImage", called: "a picture" },
  { field: "website", called: "a website" },
] as const satisfies { field: keyof ProfileFields; called: string }[];

const list = new Intl.ListFormat("en-US", { type: "conjunction" });

/** Percent of five fields (specification §3). */
export function profileCompletion(profile: ProfileFields): { percent: number; advice: string } {
  const missing = asked.filter(({ field }) => !profile[field]?.trim());
  const percent = Math.round(((asked.length - missing.length) / asked.length) * 100);
  if (missing.length === 0) return { percent, advice: "Your profile is complete." };
  return { percent, advice: `Add ${list.format(missing.map(({ called }) => called))} to finish your profile.` };
}
