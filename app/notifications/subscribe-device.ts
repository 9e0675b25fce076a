/** Why a device shows no notifications; null where it may be asked to. */
export type PushBlocker = "unsupported" | "refused" | null;

export function findPushBlocker(): PushBlocker {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "refused" : null;
}

/** Milliseconds until a worker that can't be installed is given up. */
const workerTimeoutMs = 10_000;

/**
 * Asks the person and then the browser for a subscription.
 * @returns what the server needs of it; `refused` if the person doesn't want it. Throws whatever the browser throws.
 */
export async function subscribeDevice(publicKey: string): Promise<Record<"endpoint" | "p256dh" | "auth", string> | "refused"> {
  if ((await Notification.requestPermission()) !== "granted") return "refused";
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, workerTimeout()]);
  // One that was made for other keys, or for who was signed in before, is of no use.
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
