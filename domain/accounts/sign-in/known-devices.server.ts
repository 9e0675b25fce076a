import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { parseCookies } from "better-auth/cookies";
import type { Site } from "#domain/site.ts";
import { days, seconds } from "#platform/time.ts";

const maxAccounts = 5;
export const deviceRetentionMs = days(400);

type Signer = Pick<Site, "url" | "secret">;

/** The cookie holds a random device id and an HMAC per account. */
export function isKnownDevice(site: Signer, cookieHeader: string | null | undefined, userId: string): boolean {
  const { device, marks } = readCookie(site, cookieHeader);
  if (!device) return false;
  const mark = Buffer.from(markOf(site, device, userId));
  return marks.map((each) => Buffer.from(each)).some((each) => each.length === mark.length && timingSafeEqual(each, mark));
}

export function knownDeviceId(site: Signer, cookieHeader: string | null | undefined, userId: string): string | undefined {
  return isKnownDevice(site, cookieHeader, userId) ? readCookie(site, cookieHeader).device : undefined;
}

export function rememberDevice(site: Signer, cookieHeader: string | null | undefined, userId: string): string {
  const { device = randomBytes(12).toString("base64url"), marks } = readCookie(site, cookieHeader);
  const mark = markOf(site, device, userId);
  const value = [device, mark, ...marks.filter((each) => each !== mark)].slice(0, maxAccounts + 1).join(".");
  const secure = site.url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(site)}=${value}; Max-Age=${deviceRetentionMs / seconds(1)}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function cookieName({ url }: Signer): string {
  return url.startsWith("https:") ? "__Host-inkstead_known" : "inkstead_known";
}

function readCookie(site: Signer, header: string | null | undefined): { device?: string; marks: string[] } {
  const value = parseCookies(header ?? "").get(cookieName(site));
  const [device, ...marks] = value?.split(".").slice(0, maxAccounts + 1) ?? [];
  return device && /^[\w-]{16}$/.test(device) ? { device, marks } : { marks: [] };
}

function markOf({ secret }: Signer, device: string, userId: string): string {
  return createHmac("sha256", secret).update(`known-device:${device}:${userId}`).digest("base64url").slice(0, 22);
}
