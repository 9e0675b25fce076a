import { createHmac } from "node:crypto";
import { sign, verify } from "hono/jwt";
import type { Site } from "#domain/site.ts";

export type JwtClaims = { userId: string; sessionId: string };

/** A key of its own: what is signed for one purpose must not serve another. */
function keyOf({ secret }: Pick<Site, "secret">): string {
  return createHmac("sha256", secret).update("api-jwt").digest("hex");
}

export function makeJwt(site: Pick<Site, "secret" | "now">, claims: JwtClaims, seconds: number): Promise<string> {
  const now = Math.floor(site.now() / 1000);
  return sign({ ...claims, iat: now, exp: now + seconds }, keyOf(site), "HS256");
}

/** What a token says, or undefined when it is none of ours or too old. */
export async function readJwt(site: Pick<Site, "secret">, token: string): Promise<JwtClaims | undefined> {
  if (token.length > 2000) return undefined;
  try {
    const { userId, sessionId } = await verify(token, keyOf(site), "HS256");
    return typeof userId === "string" && typeof sessionId === "string" ? { userId, sessionId } : undefined;
  } catch {
    return undefined;
  }
}
