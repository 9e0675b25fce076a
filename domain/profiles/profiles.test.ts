import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { renameAccountAndProfile } from "../accounts/changes.server.ts";
import { resetProfile } from "../moderation/profiles/reset-profile.server.ts";
import { ProfileInput } from "./profile-input.ts";
import { changeProfile, createProfile, updateProfile } from "./profiles.server.ts";

const blank = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
const edited = { userName: "M. Oduya", ...blank, bio: "Keeps a lighthouse.", website: "https://maren.example.com" };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const profile = (userId = world.maren.id) =>
  world.site.db.selectFrom("profiles").selectAll().where("userId", "=", userId).executeTakeFirstOrThrow();
const attached = async (fileId: string | null) =>
  (await world.site.db.selectFrom("files").select("attachedAt").where("id", "=", fileId).executeTakeFirstOrThrow()).attachedAt;
const avatar = async (color = "#a83a23") => {
  const bytes = await sharp({ create: { width: 500, height: 400, channels: 3, background: color } })
    .png()
    .toBuffer();
  return { name: "maren.png", bytes };
};

describe("creating a profile", () => {
  test("leaves an existing one unchanged", async () => {
    await updateProfile(world.site, world.maren, edited);
    await createProfile(world.site, { userId: world.maren.id, userName: "Maren" });
    expect(await profile()).toMatchObject(edited);
  });

  test("starts with only the name", async () => {
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    await createProfile(world.site, { userId: world.maren.id, userName: "Maren" });
    expect(await profile()).toMatchObject({ userName: "Maren", ...blank, profileImage: null });
  });
});

describe("updating a profile", () => {
  test("saves every field and keeps the creation time", async () => {
    const { createdAt } = await profile();
    world.clock.advance(1000);
    expect(await updateProfile(world.site, world.maren, edited)).toEqual({ pictureFailed: false });
    expect(await profile()).toMatchObject({ ...edited, createdAt, updatedAt: world.site.now() });
  });

  describe("with the texts that the form showed", () => {
    beforeEach(() => updateProfile(world.site, world.maren, edited));
    const submit = (typed: Partial<typeof edited>) => updateProfile(world.site, world.maren, { ...edited, ...typed }, "keep", edited);

    test("keeps what was changed elsewhere meanwhile", async () => {
      await changeProfile(world.site, world.maren, { bio: "Climbs." });
      await submit({ location: "Stornoway" });
      expect(await profile()).toMatchObject({ ...edited, bio: "Climbs.", location: "Stornoway" });
    });

    test("doesn't restore what a moderator has reset", async () => {
      await resetProfile(world.site, world.ruth, world.maren.id, {});
      await submit({ location: "Stornoway" });
      expect(await profile()).toMatchObject({ userName: "M. Oduya", ...blank, location: "Stornoway" });
    });

    test("refuses a field that was changed on both sides", async () => {
      await changeProfile(world.site, world.maren, { bio: "Climbs." });
      const present = { ...edited, bio: "Climbs." };
      await expect(submit({ bio: "Sails.", location: "Stornoway" })).rejects.toMatchObject({
        code: "conflict",
        field: "bio",
        details: { kind: "profile-changed", names: ["bio"], present },
      });
      expect(await profile()).toMatchObject(present);
      // Sent again because its response was lost.
      await submit({ bio: "Climbs." });
    });
  });

  test("creates a missing profile", async () => {
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    await updateProfile(world.site, world.maren, edited);
    expect(await profile()).toMatchObject({ ...edited, profileImage: null });
  });

  test("requires a sign-in", async () => {
    await expect(updateProfile(world.site, null, edited)).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("crops a picture to a square and releases the old one", async () => {
    await updateProfile(world.site, world.maren, edited, await avatar());
    const first = (await profile()).profileImage;
    const bytes = await world.site.files.get(`${first}/original`);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 400, height: 400 });
    expect(await attached(first)).not.toBeNull();
    await updateProfile(world.site, world.maren, edited, await avatar("#3f5a63"));
    const second = (await profile()).profileImage;
    expect(second).not.toBe(first);
    expect([await attached(first), await attached(second)]).toEqual([null, world.site.now()]);
  });

  test("of several concurrent pictures keeps one", async () => {
    await updateProfile(world.site, world.maren, edited, await avatar());
    const colors = ["#123456", "#234567", "#345678", "#456789"];
    await Promise.all(colors.map(async (color) => updateProfile(world.site, world.maren, edited, await avatar(color))));
    const files = await world.site.db.selectFrom("files").select("id").where("attachedAt", "is not", null).execute();
    expect(files).toEqual([{ id: (await profile()).profileImage }]);
  });

  test("keeps the picture by default and can remove it", async () => {
    await updateProfile(world.site, world.maren, edited, await avatar());
    const { profileImage } = await profile();
    await updateProfile(world.site, world.maren, { ...edited, bio: "Another" });
    expect((await profile()).profileImage).toBe(profileImage);
    await updateProfile(world.site, world.maren, edited, "remove");
    expect((await profile()).profileImage).toBeNull();
    expect(await attached(profileImage)).toBeNull();
  });

  test("rejects invalid pictures and saves the rest", async () => {
    const page = { name: "me.png", bytes: Buffer.from("<script>alert(1)</script>") };
    expect(await updateProfile(world.site, world.maren, edited, page)).toEqual({ pictureFailed: true });
    expect(await profile()).toMatchObject({ ...edited, profileImage: null });
  });

  test("saves the rest if the picture can't be stored", async () => {
    const files = { ...world.site.files, put: () => Promise.reject(new Error("the disk is full")) };
    expect(await updateProfile({ ...world.site, files }, world.maren, edited, await avatar())).toEqual({ pictureFailed: true });
    expect(await profile()).toMatchObject({ ...edited, profileImage: null });
  });

  test("of given fields leaves the others, also of a missing profile", async () => {
    await updateProfile(world.site, world.maren, edited);
    await changeProfile(world.site, world.maren, { location: "Stornoway" });
    expect(await profile()).toMatchObject({ ...edited, location: "Stornoway" });
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    await changeProfile(world.site, world.maren, { location: "Stornoway" });
    expect(await profile()).toMatchObject({ ...blank, userName: world.maren.name, location: "Stornoway" });
  });

  test("of given fields saves nothing if the picture can't be stored", async () => {
    const files = { ...world.site.files, put: () => Promise.reject(new Error("the disk is full")) };
    const change = changeProfile({ ...world.site, files }, world.maren, { bio: "Another" }, await avatar());
    await expect(change).rejects.toMatchObject({ code: "unavailable" });
    expect(await profile()).toMatchObject({ bio: "", profileImage: null });
  });

  test("publishes a change", async () => {
    const received: string[] = [];
    world.site.events.subscribe(`profile:${world.maren.id}`, ({ type }) => received.push(type));
    await updateProfile(world.site, world.maren, edited);
    await expect.poll(() => received).toEqual(["profile.changed"]);
  });

  test("publishes a name that came with the account's", async () => {
    const received: unknown[] = [];
    world.site.events.subscribe("profiles", ({ type, data }) => received.push({ type, ...data }));
    await renameAccountAndProfile(world.site, world.maren, "Marit Brandvold");
    const changed = { type: "profile.changed", userId: world.maren.id, name: "Marit Brandvold", profileImage: null };
    await expect.poll(() => received).toEqual([changed]);
  });
});

describe("the form", () => {
  const messages = (change: object) => ProfileInput.safeParse({ ...edited, ...change }).error?.issues.map((issue) => issue.message) ?? [];

  test("requires only the name", () => {
    expect(messages({ userName: "win at https://evil.example" })).toEqual(["Your name can’t include links or email addresses"]);
    expect(ProfileInput.parse({ userName: " Maren " })).toEqual({ userName: "Maren", ...blank });
    expect(messages({ userName: " " })).toEqual(["Display name is required"]);
    expect(messages({ userName: undefined })).toEqual(["Display name is required"]);
  });

  test.each([
    ["userName", 100],
    ["bio", 1000],
    ["location", 100],
    ["twitter", 100],
    ["github", 200],
    ["linkedIn", 200],
  ])("%s holds up to %i characters", (field, max) => {
    expect(messages({ [field]: "m".repeat(max) })).toEqual([]);
    expect(messages({ [field]: "m".repeat(max + 1) })).toEqual([`This cannot exceed ${max} characters`]);
  });

  test("keeps line breaks and removes other control characters", () => {
    expect(ProfileInput.parse({ ...edited, bio: "one\r\ntwo\0\u202e" }).bio).toBe("one\ntwo");
  });

  test.each(["", "https://maren.example.com", "maren.example.com/stories"])("%j is a website", (website) => {
    expect(messages({ website })).toEqual([]);
  });

  test.each(["a page of mine", "httpx://maren.example.com", "https://"])("%j is not a website", (website) => {
    expect(messages({ website })).toEqual(["Please enter a valid website address"]);
  });
});
