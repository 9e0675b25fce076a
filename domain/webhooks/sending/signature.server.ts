import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

export function newSecret(): string {
  return prefix + randomBytes(24).toString("base64");
}

export function signedHeaders(secret: string, { id, at, body }: { id: string; at: number; body: string }): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
