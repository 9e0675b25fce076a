import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPushService, type PushService } from "../../tests/support/push/push-service.ts";
import { addMember, openWorld, signIn, type World } from "../../tests/support/world.ts";
import { signOutDevices } from "../accounts/sign-in/devices.server.ts";
import { otherEntries } from "../export/other-entries.server.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import type { Member } from "../site.ts";
import { maxPushDevices, pushTexts } from "./push-device.ts";
import { addPushDevice, listPushDevices, removePushDevice } from "./push-devices.server.ts";

let world: World;
let service: PushService;
let maren: Member;
beforeEach(async () => {
  [world, service] = [await openWorld(), await openPushService()];
  service.connect(world.site);
  maren = (await signIn(world, world.maren)).member;
});
afterEach(async () => {
  service.close();
  await world.close();
});

const add = (name: string, member = maren) => addPushDevice(world.site, member, service.browser(name).device);
const devices = (member = maren) => listPushDevices(world.site, member);
const origin = { ip: "10.0.0.1", userAgent: null, cookie: null };

describe("a device", () => {
  test("belongs to a session, one per session", async () => {
    await add("first");
    await add("second");
    const other = (await signIn(world, world.maren)).member;
    await add("third", other);
    expect((await devices()).map(({ current, since, browser }) => [current, since, browser])).toEqual([
      [false, world.site.now(), "Firefox on Linux"],
      [true, world.site.now(), "Firefox on Linux"],
    ]);
  });

  test("is removed with its session", async () => {
    await add("first");
    const other = (await signIn(world, world.maren)).member;
    await add("second", other);
    await signOutDevices(world.site, other, origin, { id: maren.sessionId ?? "" });
    expect((await devices(other)).map(({ current }) => current)).toEqual([true]);
    await signOutDevices(world.site, other, origin, "all");
    expect(await devices(other)).toEqual([]);
  });

  test("is removed when its member is suspended", async () => {
    await add("first");
    await suspendMember(world.site, world.ruth, maren.id, { days: 3, reason: "Spam" });
    expect(await devices()).toEqual([]);
    const suspendedUntil = world.site.now() + 1;
    await expect(add("first", { ...maren, suspendedUntil })).rejects.toMatchObject({ code: "not-allowed" });
  });

  test("can be removed only by its member", async () => {
    await add("first");
    const [device] = await devices();
    await removePushDevice(world.site, world.tobias, device?.number ?? 0);
    expect(await devices()).toHaveLength(1);
    await removePushDevice(world.site, maren, device?.number ?? 0);
    expect(await devices()).toEqual([]);
  });

  test("can change its member, but only with its secret", async () => {
    const { device } = service.browser("shared");
    await addPushDevice(world.site, maren, device);
    const tobias = (await signIn(world, world.tobias)).member;
    const guessed = addPushDevice(world.site, tobias, { ...device, auth: "A".repeat(22) });
    await expect(guessed).rejects.toMatchObject({ code: "invalid" });
    expect(await devices()).toHaveLength(1);
    await addPushDevice(world.site, tobias, device);
    expect([await devices(), (await devices(tobias)).length]).toEqual([[], 1]);
  });
});

test("is exported without its endpoint and keys", async () => {
  await add("first");
  let kept = "";
  for await (const { name, input } of otherEntries(world.site, maren)) if (name === "notifications.json") kept = String(input);
  expect(JSON.parse(kept).devices).toEqual([{ browser: "Firefox on Linux", since: new Date(world.site.now()).toISOString() }]);
  expect(kept).not.toContain("push.example");
});

test("is limited to ten per member, also when concurrent", async () => {
  const sessions = await Promise.all(Array.from({ length: maxPushDevices + 2 }, () => signIn(world, world.maren)));
  const added = await Promise.allSettled(sessions.map(({ member }, index) => add(`at-once-${index}`, member)));
  expect(added.flatMap((each) => (each.status === "rejected" ? [each.reason.message] : []))).toEqual([
    pushTexts.tooMany,
    pushTexts.tooMany,
  ]);
  expect(await devices()).toHaveLength(maxPushDevices);
});

test("with a private address or invalid keys is rejected", async () => {
  const { device } = service.browser("any");
  const member = await addMember(world, "Hana");
  const hana = (await signIn(world, member)).member;
  const { port } = new URL(service.url);
  const endpoints = [
    ...[`http://push.example:${port}/a`, "https://127.0.0.1/a", "https://[::1]/a", "https://169.254.169.254/latest", "https://10.0.0.5/a"],
    ...[
      "https://user:secret@push.example/a",
      "https://push.example:22/a",
      "file:///etc/passwd",
      "",
      `https://push.example:${port}/${"a".repeat(1000)}`,
    ],
  ];
  for (const endpoint of endpoints)
    await expect(addPushDevice(world.site, hana, { ...device, endpoint }), endpoint).rejects.toMatchObject({ code: "invalid" });
  for (const p256dh of ["", "A".repeat(87), `${device.p256dh}A`, device.p256dh.slice(0, -1)])
    await expect(addPushDevice(world.site, hana, { ...device, p256dh })).rejects.toMatchObject({ code: "invalid" });
  await expect(addPushDevice(world.site, hana, { ...device, auth: "short" })).rejects.toMatchObject({ code: "invalid" });
  await expect(addPushDevice(world.site, { ...hana, sessionId: null }, device)).rejects.toMatchObject({ code: "invalid" });
  expect([await devices(hana), service.received]).toEqual([[], []]);
});
