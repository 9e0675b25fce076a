type ProfileFields = { userName: string; bio: string; location: string; profileImage: string | null; website: string };

const fields = [
  { field: "userName", label: "a display name" },
  { field: "bio", label: "a bio" },
  { field: "location", label: "a location" },
  { field: "profileImage", label: "a picture" },
  { field: "website", label: "a website" },
] as const satisfies { field: keyof ProfileFields; label: string }[];

const list = new Intl.ListFormat("en-US", { type: "conjunction" });

export function profileCompletion(profile: ProfileFields): { percent: number; advice: string } {
  const missing = fields.filter(({ field }) => !profile[field]?.trim());
  const percent = Math.round(((fields.length - missing.length) / fields.length) * 100);
  if (missing.length === 0) return { percent, advice: "Your profile is complete." };
  return { percent, advice: `Add ${list.format(missing.map(({ label }) => label))} to finish your profile.` };
}
