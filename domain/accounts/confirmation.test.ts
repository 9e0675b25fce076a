import { createEmailVerificationToken } from "better-auth/api";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findAndRenewSession } from "#server/session/session.ts";
import { until } from "../../tests/support/until.ts";
import { addMember, openWorld, password, signIn, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { signUp } from "./accounts.server.ts";
import { confirmEmail, readConfirmation, sendConfirmationAgain } from "./confirmation.server.ts";
import { requestEmailChange } from "./email-change.server.ts";
import { emailConfirmationLink } from "./linked-emails.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const hour = 60 * 60_000;
const expired = { code: "invalid", message: "This link has expired or was already used. Request a new one." };

async function mailedToken(): Promise<string> {
  await sendConfirmationAgain(world.site, world.salma);
  const token = /token=(\S+)/.exec(world.emails.at(-1)?.text ?? "")?.[1];
  return decodeURIComponent(token ?? "");
}

describe("confirming an address", () => {
  test("takes effect with the next request", async () => {
    const { cookie } = await signIn(world, world.salma);
    expect((await findAndRenewSession(world.site, cookie)).viewer?.isEmailConfirmed).toBe(false);
    await confirmEmail(world.site, await mailedToken());
    expect((await findAndRenewSession(world.site, cookie)).viewer?.isEmailConfirmed).toBe(true);
  });

  test("is idempotent", async () => {
    const { cookie } = await signIn(world, world.salma);
    const token = await mailedToken();
    await confirmEmail(world.site, token);
    await confirmEmail(world.site, token);
    expect((await findAndRenewSession(world.site, cookie)).viewer?.isEmailConfirmed).toBe(true);
  });

  test("reading a link doesn't confirm", async () => {
    const { id: userId, name, email } = world.salma;
    expect(await readConfirmation(world.site, await mailedToken())).toEqual({ userId, name, email, confirmed: false });
    const { cookie } = await signIn(world, world.salma);
    expect((await findAndRenewSession(world.site, cookie)).viewer?.isEmailConfirmed).toBe(false);
  });

  test("a link works for a day", async () => {
    const token = await mailedToken();
    world.clock.advance(25 * hour);
    expect(await readConfirmation(world.site, token)).toBeNull();
    await expect(confirmEmail(world.site, token)).rejects.toMatchObject(expired);
  });

  test.each(["", "nonsense", "a.b.c"])("the token %j is rejected", async (token) => {
    expect(await readConfirmation(world.site, token)).toBeNull();
    await expect(confirmEmail(world.site, token)).rejects.toMatchObject(expired);
  });

  test("a token signed with another secret is rejected", async () => {
    const token = await createEmailVerificationToken("another secret that is long enough", world.salma.email);
    await expect(confirmEmail(world.site, token)).rejects.toMatchObject(expired);
  });

  test("a token of a deleted account is rejected", async () => {
    const token = await mailedToken();
    await world.site.db.deleteFrom("users").where("id", "=", world.salma.id).execute();
    await expect(confirmEmail(world.site, token)).rejects.toMatchObject(expired);
  });
});

test("a link confirms no other account that has the address since", async () => {
  const { site, salma } = world;
  const token = await mailedToken();
  await site.db.updateTable("users").set({ email: "moved@example.com" }).where("id", "=", salma.id).execute();
  const stranger = await addMember(world, "Stranger", { email: salma.email });
  await site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", stranger.id).execute();
  expect(await readConfirmation(site, token)).toBeNull();
  await expect(confirmEmail(site, token)).rejects.toMatchObject(expired);
  const { emailVerified } = await site.db
    .selectFrom("users")
    .select("emailVerified")
    .where("id", "=", stranger.id)
    .executeTakeFirstOrThrow();
  expect(Boolean(emailVerified)).toBe(false);
});

test("many accounts can't flood a mailbox", async () => {
  const { site, salma } = world;
  const to = "keeper@example.com";
  const origin = { ip: "192.0.2.7", userAgent: "Firefox" };
  const join = async (email: string) => {
    const { user } = await signUp(site, origin, { name: "Ines", email, password });
    return { ...salma, id: user.id, email };
  };
  for (let n = 1; n <= 14; n++) {
    const member = await join(to);
    if (n <= 10) await until(() => expect(world.emails).toHaveLength(n));
    await deleteAccount(site, member, password);
  }
  const results: PromiseSettledResult<void>[] = [];
  for (let n = 1; n <= 7; n++) {
    const asked = requestEmailChange(site, await join(`member-${n}@example.com`), origin, { email: to, password });
    results.push(...(await Promise.allSettled([asked])));
  }
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(results.at(-1)).toMatchObject({ reason: { code: "too-many" } });
  await site.background.settled();
  expect(world.emails.filter((email) => email.to === to)).toHaveLength(15);
});

describe("sending the link again", () => {
  test("requires a sign-in", async () => {
    await expect(sendConfirmationAgain(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("does nothing for confirmed members", async () => {
    expect(await sendConfirmationAgain(world.site, world.maren)).toBe("confirmed already");
    expect(world.emails).toEqual([]);
  });

  test("is limited to five an hour", async () => {
    for (let i = 0; i < 5; i++) expect(await sendConfirmationAgain(world.site, world.salma)).toBe("sent");
    await expect(sendConfirmationAgain(world.site, world.salma)).rejects.toMatchObject({ code: "too-many" });
    world.clock.advance(hour);
    expect(await sendConfirmationAgain(world.site, world.salma)).toBe("sent");
  });

  test("is limited to ten a day for an address, also through the API", async () => {
    const { site, salma, clock } = world;
    for (let i = 0; i < 10; i++) {
      if (i === 5) clock.advance(hour);
      await (i % 2 ? sendConfirmationAgain(site, salma) : emailConfirmationLink(site, salma, "http://inkstead.test/verify"));
    }
    clock.advance(hour);
    const another = emailConfirmationLink(site, salma, "http://inkstead.test/verify");
    await expect(another).rejects.toMatchObject({ code: "too-many" });
  });

  test("an email is retried after a temporary failure", async () => {
    const refusing = { delivers: true, send: vi.fn(() => Promise.reject(new Error("no route to host"))) };
    expect(await sendConfirmationAgain({ ...world.site, mail: refusing }, world.salma)).toBe("sent");
    await world.site.background.settled();
    expect(refusing.send).toHaveBeenCalledOnce();
    await world.site.outbox.wake(world.site);
    expect(world.emails).toEqual([]);
    world.clock.advance(60_000);
    await world.site.outbox.wake(world.site);
    expect(world.emails.map(({ to }) => to)).toEqual([world.salma.email]);
  });
});
