/** Why a device can’t show notifications; null if it can. */
export type PushBlocker = "unsupported" | "refused" | null;

export function findPushBlocker(): PushBlocker {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "refused" : null;
}

/** The service worker may fail to install. */
const workerTimeoutMs = 10_000;

/** @returns `refused` without permission. @throws the browser’s errors. */
export async function subscribeDevice(publicKey: string): Promise<Record<"endpoint" | "p256dh" | "auth", string> | "refused"> {
  if ((await Notification.requestPermission()) !== "granted") return "refused";
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, workerTimeout()]);
  // An older subscription may belong to other keys or another member.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = "", keys } = subscription.toJSON();
  return { endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" };
}

export async function unsubscribeDevice(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function workerTimeout(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error("The worker isn’t running")), workerTimeoutMs));
}
