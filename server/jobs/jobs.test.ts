import { afterEach, expect, test, vi } from "vitest";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { addPushDevice } from "#domain/push/push-devices.server.ts";
import { pushDelayMs } from "#domain/push/push-queue.server.ts";
import { openPushService } from "../../tests/support/push/push-service.ts";
import { openWorld, signIn } from "../../tests/support/world.ts";
import { type Job, jobs, startJob } from "./jobs.ts";

afterEach(() => void vi.restoreAllMocks());

test("the push job sends due pushes, and nothing after it has stopped", async () => {
  const [world, service] = [await openWorld(), await openPushService()];
  service.connect(world.site);
  const phone = service.browser("phone");
  const { member } = await signIn(world, world.maren);
  await addPushDevice(world.site, member, phone.device);
  await sendMessage(world.site, world.tobias, { to: member.id, text: "Hello", sendId: "1" });
  world.clock.advance(pushDelayMs.message);
  const timer = vi.spyOn(globalThis, "setInterval");
  const { stop } = startJob(world.site, jobs.pushes);
  const [tick] = timer.mock.lastCall ?? [];
  for (const each of [tick, tick]) (each as () => void)();
  await world.site.background.settled();
  expect(service.received.map(({ body }) => phone.read(body).title)).toEqual(["An unread message from Tobias Lindqvist"]);
  const ended = vi.spyOn(globalThis, "clearInterval");
  stop();
  expect(ended).toHaveBeenCalledWith(timer.mock.results.at(-1)?.value);
  service.close();
  await world.close();
});

test("jobs with nothing to do invalidate no cached pages", async () => {
  const { site, close } = await openWorld();
  const contentVersion = () => site.versions.cacheInvalidation.contentVersion();
  await expect.poll(contentVersion).toBeDefined();
  const invalidating: string[] = [];
  for (const { name, run } of Object.values<Job>(jobs)) {
    const before = contentVersion();
    await run(site);
    await site.background.settled();
    if (contentVersion() !== before) invalidating.push(name);
  }
  expect(invalidating).toEqual([]);
  await close();
});
