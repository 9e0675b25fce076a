import { z } from "zod";
import { readOwnFile, releaseOwnFile } from "#domain/files/api-files.server.ts";
import { ProfileInput } from "#domain/profiles/profile-input.ts";
import { findProfile } from "#domain/profiles/profile-reads.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";
import { parseAttributes } from "./structure.ts";
import { requireSelf, text, textOrNull, writer } from "./writer.ts";

function profileFields<Kind>(kind: Kind) {
  return { userName: kind, bio: kind, location: kind, website: kind, twitter: kind, github: kind, linkedIn: kind };
}

const optionalText = z.string().nullish();
const fields = {
  ...profileFields(optionalText),
  linkedin: optionalText,
  profileImage: optionalText.describe("The id of one of your files. The profile gets a square copy."),
  userId: optionalText,
};
const Profile = z.strictObject(fields);

export const profileWriter = writer({
  collection: "profiles",
  attributes: {
    userId: text,
    ...profileFields(text),
    profileImage: textOrNull,
  },
  create: {
    data: Profile,
    async run(call, _id, data) {
      const viewer = requireSelf(call, data.userId);
      await save(call, viewer.id, data);
      return viewer.id;
    },
  },
  update: { data: Profile, run: save },
});

async function save(call: Call, userId: string, { profileImage, linkedin, ...data }: z.output<typeof Profile>): Promise<void> {
  const viewer = requireSelf(call, userId);
  if (data.userId && data.userId !== userId) throw new ApiError("user_unauthorized");
  const { name, bio, location, website, twitter, github, linkedIn, profileImage: current } = await findProfile(call.site, userId);
  const before = { userName: name, bio, location, website, twitter, github, linkedIn };
  const given = Object.entries({ ...data, linkedIn: data.linkedIn ?? linkedin }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const { userId: _own, ...changed } = Object.fromEntries(given) as Record<string, string>;
  const input = await parseAttributes(ProfileInput, { ...before, ...changed });
  if (profileImage === undefined || profileImage === current) await updateProfile(call.site, viewer, input);
  else if (!profileImage) await updateProfile(call.site, viewer, input, "remove");
  else {
    await updateProfile(call.site, viewer, input, await readOwnFile(call.site, viewer, profileImage));
    await releaseOwnFile(call.site, viewer, profileImage);
  }
}
