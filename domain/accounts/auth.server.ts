import { AsyncLocalStorage } from "node:async_hooks";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { isDuplicate } from "#platform/database/errors.ts";
import type { Database, Engine } from "#platform/database/open.ts";
import { newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Mail } from "#platform/mail/mail.ts";
import { passwordMax, passwordMin } from "./account.ts";
import { recoveryLetter, verificationLetter } from "./letters.ts";

export type AuthParts = {
  db: Database;
  engine: Engine;
  mail: Mail;
  url: string;
  secret: string;
  siteName: string;
  /** Where the library's own complaints go; nowhere without it. */
  log?: Log;
  now(): number;
};

const day = 24 * 60 * 60;
/** Seconds that the link in a confirmation mail works. */
export const confirmationLasts = day;
const addressHeader = "x-client-address";

/** Where a request comes from, noted with each session. */
export type Origin = { address: string; userAgent: string | null };

/** The headers to call the library with: nothing that a browser sent goes in unnoticed. */
export function authHeaders(origin: Origin, cookie?: string | null): Headers {
  const headers = new Headers({ [addressHeader]: origin.address });
  if (origin.userAgent) headers.set("user-agent", origin.userAgent.slice(0, 300));
  if (cookie) headers.set("cookie", cookie);
  return headers;
}

/** The cookie's name as the browser knows it: over https the library adds its prefix. */
export function sessionCookieName(siteUrl: string): string {
  return siteUrl.startsWith("https:") ? "__Secure-inkstead_session" : "inkstead_session";
}

const madeHash = new AsyncLocalStorage<string>();

/**
 * Hashes the password, then runs `work`, in which the library finds the hash made. It would hash within its transaction,
 * and SQLite's one writer would wait 80 ms for it.
 */
export async function withHashOf<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
  return madeHash.run(await hashPassword(password), work);
}

/** The accounts library on our own tables; migrations/0001-accounts.ts must hold what it expects (a test compares). */
export function authOptions({ db, engine, mail, url, secret, siteName, log, now }: AuthParts) {
  return {
    appName: siteName,
    baseURL: url,
    basePath: "/auth",
    secret,
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...details) => report(log, message, details) },
    rateLimit: { enabled: false },
    database: { db, type: engine, transaction: true },
    user: { modelName: "users" },
    session: { modelName: "sessions", expiresIn: 30 * day, updateAge: day, freshAge: 0, cookieCache: { enabled: false } },
    account: { modelName: "accounts" },
    verification: { modelName: "verifications" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMin,
      maxPasswordLength: passwordMax,
      password: { hash: async (password) => madeHash.getStore() ?? hashPassword(password), verify: verifyPassword },
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => mail.send(recoveryLetter({ siteName, url, user, token })),
    },
    emailVerification: {
      expiresIn: confirmationLasts,
      sendVerificationEmail: ({ user, token }) => mail.send(verificationLetter({ siteName, url, user, token })),
    },
    advanced: {
      useSecureCookies: url.startsWith("https:"),
      cookies: { session_token: { name: "inkstead_session" } },
      database: { generateId: () => newId(now()) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  } satisfies BetterAuthOptions;
}

function report(log: Log | undefined, message: string, details: unknown[]): void {
  const err = details.find((detail) => detail instanceof Error);
  // Two sign-ups with one address at the same moment: the second is told so.
  if (!isDuplicate(err ?? {})) log?.error({ err }, `accounts: ${message}`);
}

export function createAuth(parts: AuthParts) {
  return betterAuth(authOptions(parts));
}

export type Auth = ReturnType<typeof createAuth>;
