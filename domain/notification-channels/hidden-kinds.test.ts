import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { bundleEmailDelayMs } from "../notifications/bundles.server.ts";
import type { EmailFrequency } from "../notifications/kinds.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { sendBundleEmails } from "./bundle-emails.server.ts";
import { sendDigests } from "./digests.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "spoon", title: "The *Spoon*" });
});
afterEach(() => world.close());

describe("of a kind that is off on the site", () => {
  const hide = (email: EmailFrequency) =>
    saveNotificationSettings(world.site, world.maren, { preferences: { like: { onSite: false, email } }, timeZone: "Europe/Berlin" });

  test("each bundle is emailed", async () => {
    await hide("at-once");
    const later = async () => {
      world.clock.advance(bundleEmailDelayMs);
      return sendBundleEmails(world.site);
    };
    await setLike(world.site, world.tobias, "spoon", true);
    expect(await later()).toBe(1);
    world.clock.advance(1);
    await setLike(world.site, world.ruth, "spoon", true);
    expect(await later()).toBe(1);
    const subjects = ["Tobias Lindqvist", "Ruth Castellanos"].map((name) => `${name} liked “The *Spoon*”`);
    expect(world.emails.map(({ subject }) => subject)).toEqual(subjects);
    expect(world.emails[0]?.text).not.toContain("until you’ve read it");
  });

  test("a digest names people once", async () => {
    world.clock.set(Date.parse("2026-11-23T10:00:00Z"));
    await hide("daily");
    world.clock.advance(1);
    await setLike(world.site, world.tobias, "spoon", true);
    world.clock.set(Date.parse("2026-11-24T07:00:00Z"));
    expect(await sendDigests(world.site)).toBe(1);
    world.clock.advance(1);
    await setLike(world.site, world.ruth, "spoon", true);
    world.clock.set(Date.parse("2026-11-25T07:00:00Z"));
    expect(await sendDigests(world.site)).toBe(1);
    expect(world.emails.map(({ text }) => /.* liked/.exec(text)?.[0])).toEqual(["Tobias Lindqvist liked", "Ruth Castellanos liked"]);
  });
});
