import { signJWT, verifyJWT } from "better-auth/crypto";
import type { Site } from "#domain/site.ts";
import { days, seconds } from "#platform/time.ts";

export type NotMeClaim = {
  kind: "email-change" | "sign-in" | "passkey" | "authenticator";
  id: string;
  userId: string;
  to: string;
};

const purpose = "this was not me";
export const notMeTtlMs = days(7);

/** Carries no security epoch: an intruder could void it by changing the password. */
export async function notMeLink(site: Site, claim: NotMeClaim): Promise<string> {
  const token = await signJWT({ purpose, ...claim }, site.secret, notMeTtlMs / seconds(1));
  return `${site.url}/account/not-me?token=${encodeURIComponent(token)}`;
}

const kinds: unknown[] = ["email-change", "sign-in", "passkey", "authenticator"] satisfies NotMeClaim["kind"][];

export async function readNotMeClaim(site: Site, token: string): Promise<NotMeClaim | null> {
  const { purpose: given, kind, id, userId, to } = (await verifyJWT(token, site.secret)) ?? {};
  const isOurs = given === purpose && kinds.includes(kind) && [id, userId, to].every((each) => typeof each === "string");
  return isOurs ? ({ kind, id, userId, to } as NotMeClaim) : null;
}
