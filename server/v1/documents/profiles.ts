import { z } from "zod";
import { readOwnFile, releaseOwnFile } from "#domain/files/api-files.server.ts";
import { ProfileInput } from "#domain/profiles/profile-input.ts";
import { findProfile } from "#domain/profiles/profile-reads.server.ts";
import { changeProfile } from "#domain/profiles/profiles.server.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";
import { requireSelf, text, textOrNull, writer } from "./collection-writer.ts";
import { parseAttributes } from "./structure.ts";

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
  const given = Object.entries({ ...data, linkedIn: data.linkedIn ?? linkedin }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const { userId: _own, ...texts } = Object.fromEntries(given) as Record<string, string>;
  const givenOnly = Object.fromEntries(Object.keys(texts).map((name) => [name, true])) as { [Field in keyof ProfileInput]?: true };
  const changes: Partial<ProfileInput> = await parseAttributes(ProfileInput.pick(givenOnly), texts);
  const { profileImage: current } = await findProfile(call.site, userId);
  if (profileImage === undefined || profileImage === current) await changeProfile(call.site, viewer, changes);
  else if (!profileImage) await changeProfile(call.site, viewer, changes, "remove");
  else {
    await changeProfile(call.site, viewer, changes, await readOwnFile(call.site, viewer, profileImage));
    await releaseOwnFile(call.site, viewer, profileImage);
  }
}
