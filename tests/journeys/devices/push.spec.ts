import type { CDPSession, Page, Worker } from "@playwright/test";
import { listPushDevices } from "#domain/push/push-devices.server.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { expectToast } from "../support/toasts.ts";

test.use({ serviceWorkers: "allow", permissions: ["notifications"] });

const turnOn = "Get notifications on this device";

test("a device is subscribed to push, configured, and removed", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const reader = await newMember("Push Reader");
  await signInAs(reader);
  await withPushService(page);
  await page.goto("/notifications/settings");
  await waitForHydration(page);
  await page.getByRole("button", { name: turnOn }).click();
  await expectToast(page, "You’ll get notifications on this device.");
  const device = page.getByRole("listitem").filter({ hasText: "This device" });
  await expect(device).toContainText("Chrome on Linux");
  await expect(page.getByRole("button", { name: turnOn })).toBeHidden();
  await expectAccessible(page);
  expect(await listPushDevices(site, reader)).toHaveLength(1);

  await page.getByRole("checkbox", { name: "Likes on devices" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Your notification settings have been saved.");
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "Likes on devices" })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Messages on devices" })).toBeChecked();

  await device.getByRole("button", { name: "Remove Chrome on Linux" }).click();
  await expectToast(page, "That device won’t get notifications anymore.");
  await expect(page.getByRole("button", { name: turnOn })).toBeVisible();
  expect(await listPushDevices(site, reader)).toEqual([]);
});

test("a push is shown and opens its subject", inBrowserOnly, async ({ page, context, newMember, signInAs }) => {
  await signInAs(await newMember("Push Shown"));
  const devTools = await context.newCDPSession(page);
  const started = context.waitForEvent("serviceworker");
  await page.goto("/help");
  const worker = await started;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await recordNotifications(worker);
  await push(page, devTools, { title: "Ana liked “Tide”", tag: "like:1", url: "/post/tide" });
  const shown = { title: "Ana liked “Tide”", tag: "like:1", icon: "/icon-192.png", data: { url: "/post/tide" } };
  await expect.poll(() => recorded(worker)).toEqual([shown]);
  await click(worker, "/post/tide");
  await click(worker, "/help");
  await click(worker, "https://elsewhere.example/");
  await expect.poll(() => recorded(worker)).toEqual([shown, "opened /post/tide", "focused /help"]);
});

/** The browser's own service needs the network; the fake follows the Push API. */
async function withPushService(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let subscription: object | null = null;
    const encode = (bytes: ArrayBuffer) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replace(/\+/g, "-")
        .replace(/\//g, "_")
        .replace(/=/g, "");
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null;
    PushManager.prototype.subscribe = async (options) => {
      if (!options?.userVisibleOnly || String(options.applicationServerKey).length !== 87) throw new TypeError("no key");
      const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const p256dh = encode(await crypto.subtle.exportKey("raw", publicKey));
      const auth = encode(crypto.getRandomValues(new Uint8Array(16)).buffer);
      const unsubscribe = async () => {
        subscription = null;
        return true;
      };
      subscription = { unsubscribe, toJSON: () => ({ endpoint: `https://1.1.1.1/${crypto.randomUUID()}`, keys: { p256dh, auth } }) };
      return subscription as PushSubscription;
    };
  });
}

/** Delivers a push as the browser does after decryption. */
async function push(page: Page, devTools: CDPSession, message: object): Promise<void> {
  const registered = new Promise<string>((resolve) => {
    devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => first && resolve(first.registrationId));
  });
  await devTools.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  await devTools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data: JSON.stringify(message) });
}

type Recording = { recorded: unknown[] };

/** A headless browser stores no notifications, and opens windows only after a click. */
async function recordNotifications(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = self as unknown as ServiceWorkerScope & Recording;
    scope.recorded = [];
    const path = (url: string) => new URL(url).pathname;
    scope.registration.showNotification = async (title, options) => void scope.recorded.push({ title, ...options });
    scope.clients.openWindow = async (url) => void scope.recorded.push(`opened ${path(url)}`);
    scope.WindowClient.prototype.focus = async function (this: { url: string }) {
      scope.recorded.push(`focused ${path(this.url)}`);
    };
  });
}

type ServiceWorkerScope = {
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: { openWindow(url: string): Promise<void> };
  WindowClient: { prototype: { focus?(): Promise<void> } };
};

function recorded(worker: Worker): Promise<unknown[]> {
  return worker.evaluate(() => (self as unknown as Recording).recorded);
}

async function click(worker: Worker, url: string): Promise<void> {
  await worker.evaluate(async (to) => {
    const work: Promise<unknown>[] = [];
    const notification = { close() {}, data: { url: to } };
    const event = Object.assign(new Event("notificationclick"), { notification, waitUntil: (each: Promise<unknown>) => work.push(each) });
    self.dispatchEvent(event);
    await Promise.all(work);
  }, url);
}
