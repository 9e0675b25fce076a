import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAndRenewSession } from "#server/session/session.ts";
import { openWeb } from "./support/web.ts";
import { addMember, openWorld, password, signIn, type World } from "./support/world.ts";

describe("a world", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test("finds its people by the cookie", async () => {
    const viewers = [];
    for (const person of [world.maren, world.tobias, world.salma, world.ruth]) {
      const { cookie, member } = await signIn(world, person);
      const { viewer } = await findAndRenewSession(world.site, cookie);
      expect(viewer).toEqual({ ...member, hasPasskey: false });
      viewers.push(viewer);
    }
    expect(viewers.map((viewer) => [viewer?.isEmailConfirmed, viewer?.staff])).toEqual([
      [true, null],
      [true, null],
      [false, null],
      [true, "administrator"],
    ]);
  });

  test("signs them in with the password", async () => {
    const { user } = await world.site.auth.api.signInEmail({ body: { email: world.maren.email, password } });
    expect(user.id).toBe(world.maren.id);
  });

  test("adds members", async () => {
    const kenji = await addMember(world, "Kenji Watanabe", { isEmailConfirmed: false });
    const { viewer } = await findAndRenewSession(world.site, (await signIn(world, kenji)).cookie);
    expect(viewer).toMatchObject({ name: "Kenji Watanabe", email: "kenji.watanabe@example.com", isEmailConfirmed: false });
  });

  test("collects emails", async () => {
    await world.site.auth.api.requestPasswordReset({ body: { email: world.tobias.email } });
    expect(world.emails.map((emailMessage) => emailMessage.to)).toEqual([world.tobias.email]);
  });

  test("has a clock that tests advance", async () => {
    const { cookie } = await signIn(world, world.maren);
    const before = world.site.now();
    world.clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(world.site.now() - before).toBe(31 * 24 * 60 * 60 * 1000);
    expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
  });

  test("serves pages without a port", async () => {
    const response = await openWeb(world).request("/");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
  });
});
