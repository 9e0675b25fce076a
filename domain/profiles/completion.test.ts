import { expect, test } from "vitest";
import { profileCompletion } from "./completion.ts";

const nothing = { userName: "", bio: "", location: "", profileImage: null, website: "" };
const all = { userName: "Maren", bio: "Keeper", location: "Stornoway", profileImage: "file", website: "maren.example" };

test.each([
  [nothing, 0, "Add a display name, a bio, a location, a picture, and a website to finish your profile."],
  [{ ...nothing, userName: "Maren" }, 20, "Add a bio, a location, a picture, and a website to finish your profile."],
  [{ ...all, location: "", website: " " }, 60, "Add a location and a website to finish your profile."],
  [{ ...all, website: "" }, 80, "Add a website to finish your profile."],
  [all, 100, "Your profile is complete."],
])("profile completion counts five fields, case %#", (profile, percent, advice) => {
  expect(profileCompletion(profile)).toEqual({ percent, advice });
});
