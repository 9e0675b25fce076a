import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from "node:crypto";
import { hours, seconds } from "#platform/time.ts";

export type PushKeys = { publicKey: string; privateKey: KeyObject };

const validForMs = hours(12);

/** Derived from the secret: the same in all processes, and replaced together with it. */
export function pushKeysOf(secret: string): PushKeys {
  for (let count = 0; ; count++) {
    const d = Buffer.from(hkdfSync("sha256", secret, "", `inkstead push ${count}`, 32));
    const curve = createECDH("prime256v1");
    try {
      curve.setPrivateKey(d);
    } catch {
      continue; // One of 2³² numbers is no key of this curve.
    }
    const point = curve.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString("base64url"));
    const jwk = { kty: "EC", crv: "P-256", d: d.toString("base64url"), x: x as string, y: y as string };
    return { publicKey: point.toString("base64url"), privateKey: createPrivateKey({ key: jwk, format: "jwk" }) };
  }
}

export function pushAuthorization({ publicKey, privateKey }: PushKeys, of: { endpoint: string; subject: string; now: number }): string {
  const claims = { aud: new URL(of.endpoint).origin, exp: Math.floor((of.now + validForMs) / seconds(1)), sub: of.subject };
  const unsigned = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(unsigned), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `vapid t=${unsigned}.${signature.toString("base64url")}, k=${publicKey}`;
}
