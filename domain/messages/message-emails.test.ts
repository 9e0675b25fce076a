import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveNotificationSettings } from "#domain/notifications/preferences.server.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { setBlocked, setMuted } from "./blocking.server.ts";
import { deleteChat } from "./deleting.server.ts";
import { unreadEmailDelayMs } from "./message.ts";
import { sendMessageEmails } from "./message-emails.server.ts";
import { sendMessage } from "./messages.server.ts";
import { markConversationRead } from "./reading.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

let count = 0;
const write = (from = world.maren, to = world.tobias) =>
  sendMessage(world.site, from, { to: to.id, text: "A secret of the lighthouse", sendId: `send-${count++}` });
const later = async (by = unreadEmailDelayMs) => {
  world.clock.advance(by);
  return sendMessageEmails(world.site);
};
const emails = () => world.emails.map(({ to, subject }) => [to, subject]);

describe("an email about unread messages", () => {
  test("is sent to an offline member after five minutes, without the messages' text", async () => {
    await write();
    await write();
    expect(await later(unreadEmailDelayMs - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(emails()).toEqual([["tobias@example.com", "New message from Maren Oduya on Inkstead"]]);
    const text = world.emails[0]?.text ?? "";
    for (const part of ["2 unread messages", `/messages/${world.maren.id}`, "/notifications/settings"]) expect(text).toContain(part);
    expect(text).not.toContain("lighthouse");
  });

  test("is sent once per conversation until it is read", async () => {
    await write();
    await later();
    await write();
    await write(world.ruth);
    expect(await later()).toBe(1);
    expect(emails().at(-1)).toEqual(["tobias@example.com", "New message from Ruth Castellanos on Inkstead"]);
    await markConversationRead(world.site, world.tobias, world.maren.id);
    await write();
    expect(await later()).toBe(1);
    expect(await later()).toBe(0);
    expect(world.emails).toHaveLength(3);
  });

  test("is not sent for messages read or deleted in time", async () => {
    await write();
    await markConversationRead(world.site, world.tobias, world.maren.id);
    await write(world.ruth);
    await deleteChat(world.site, world.ruth, world.tobias.id);
    expect(await later()).toBe(0);
  });

  test("waits while the member is online", async () => {
    const goOffline = world.site.presence.enter(world.tobias.id);
    await write();
    expect(await later()).toBe(0);
    goOffline();
    await expect.poll(() => world.site.presence.isOnline(world.tobias.id)).toBe(false);
    expect(await later()).toBe(1);
  });

  test("is not sent for muted or blocked partners, by preference, or if the site sends none", async () => {
    const { site, tobias, maren, salma, ruth } = world;
    await write();
    await setMuted(site, tobias, maren.id, true);
    await write(ruth);
    await setBlocked(site, tobias, ruth.id, true);
    expect(await later()).toBe(0);
    await saveNotificationSettings(site, maren, { preferences: { message: { onSite: true, email: "never" } } });
    await write(tobias, maren);
    expect(await later()).toBe(0);
    await saveNotificationSettings(site, maren, { preferences: { message: { onSite: true, email: "at-once" } } });
    await markConversationRead(site, maren, tobias.id);
    site.settings.emailNotifications = false;
    await write(tobias, maren);
    expect(await later()).toBe(0);
    site.settings.emailNotifications = true;
    await write(maren, salma);
    expect(await later()).toBe(0);
  });

  test("is sent by one of several concurrent processes", async () => {
    await write();
    world.clock.advance(unreadEmailDelayMs);
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendMessageEmails(world.site)));
    expect(sent.reduce((sum, each) => sum + each)).toBe(1);
    expect(world.emails).toHaveLength(1);
  });
});
