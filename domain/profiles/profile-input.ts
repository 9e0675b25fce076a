import { z } from "zod";

import { isPlainName, nameTexts } from "../names.ts";
import { cleanText, isWebsite, profileLimits, profileTexts } from "./profile.ts";

const field = (name: keyof typeof profileLimits) =>
  z
    .string()
    .default("")
    .transform(cleanText)
    .pipe(z.string().max(profileLimits[name], profileTexts.tooLong(profileLimits[name])));

export const ProfileInput = z.object({
  userName: z
    .string({ error: profileTexts.nameRequired })
    .transform(cleanText)
    .pipe(
      z
        .string()
        .min(1, profileTexts.nameRequired)
        .max(profileLimits.userName, profileTexts.tooLong(profileLimits.userName))
        .refine(isPlainName, nameTexts.nameNotPlain),
    ),
  bio: field("bio"),
  location: field("location"),
  website: field("website").refine(isWebsite, profileTexts.websiteInvalid),
  twitter: field("twitter"),
  github: field("github"),
  linkedIn: field("linkedIn"),
});
export type ProfileInput = z.output<typeof ProfileInput>;
