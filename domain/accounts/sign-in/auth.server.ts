import { AsyncLocalStorage } from "node:async_hooks";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";
import { passwordMaxLength, passwordMinLength } from "#domain/accounts/account.ts";
import { confirmationEmail, recoveryEmail } from "#domain/accounts/emails.ts";
import type { Settings } from "#domain/settings/settings.ts";
import type { Engine } from "#platform/database/engine.ts";
import { isDuplicate } from "#platform/database/errors.ts";
import type { Database } from "#platform/database/open.ts";
import { newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";
import { days, seconds } from "#platform/time.ts";
import { hashPassword, verifyPassword } from "./password-hashes.server.ts";

export type AuthParts = {
  db: Database;
  engine: Engine;
  sendEmail(email: EmailMessage & { kind: "recovery" | "confirmation"; userId: string }): Promise<void>;
  url: string;
  secret: string;
  settings: Pick<Settings, "siteName">;
  log?: Log;
  now(): number;
};

const daySeconds = days(1) / seconds(1);
export const confirmationTtlSeconds = daySeconds;
const ipHeader = "x-client-address";

export type ClientInfo = { ip: string; userAgent: string | null; cookie?: string | null };

export function authHeaders(client: ClientInfo, cookie?: string | null): Headers {
  const headers = new Headers({ [ipHeader]: client.ip });
  if (client.userAgent) headers.set("user-agent", client.userAgent.slice(0, 300));
  if (cookie) headers.set("cookie", cookie);
  return headers;
}

export function sessionCookieName(siteUrl: string): string {
  return `${cookiePrefix(siteUrl)}inkstead_session`;
}

/** `__Host-`: other subdomains can't set the cookie. Browsers require https for it. */
function cookiePrefix(siteUrl: string): string {
  return siteUrl.startsWith("https:") ? "__Host-" : "";
}

const madeHash = new AsyncLocalStorage<string>();

/** Hashes before the library opens its transaction, which would block SQLite's only writer meanwhile. */
export async function withPasswordHash<Result>(password: string, work: () => Promise<Result>, from?: string): Promise<Result> {
  return madeHash.run(await hashPassword(password, from), work);
}

const provenHash = new AsyncLocalStorage<string>();

/** Lets the library accept this hash as already verified. */
export function withVerifiedPassword<Result>(hash: string, work: () => Promise<Result>): Promise<Result> {
  return provenHash.run(hash, work);
}

const chosenId = new AsyncLocalStorage<string>();

export function chosenUserId(): string | undefined {
  return chosenId.getStore();
}

export function withUserId<Result>(id: string | undefined, work: () => Promise<Result>): Promise<Result> {
  return id === undefined ? work() : chosenId.run(id, work);
}

/** Better Auth on our own tables; a test compares its expected schema with ours. */
export function authOptions({ db, engine, sendEmail, url, secret, settings, log, now }: AuthParts) {
  return {
    appName: settings.siteName,
    baseURL: url,
    basePath: "/auth",
    secret,
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...details) => report(log, message, details) },
    rateLimit: { enabled: false },
    database: { db, type: engine, transaction: true },
    user: { modelName: "users" },
    session: { modelName: "sessions", expiresIn: 30 * daySeconds, updateAge: daySeconds, freshAge: 0, cookieCache: { enabled: false } },
    account: { modelName: "accounts" },
    // Tokens can't be read from the database.
    verification: { modelName: "verifications", storeIdentifier: "hashed" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      password: {
        hash: async (password) => madeHash.getStore() ?? hashPassword(password),
        verify: async (given) => provenHash.getStore() === given.hash || verifyPassword(given),
      },
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        sendEmail({ kind: "recovery", userId: user.id, ...recoveryEmail({ siteName: settings.siteName, url, user, token }) }),
    },
    emailVerification: {
      expiresIn: confirmationTtlSeconds,
      sendVerificationEmail: ({ user, token }) =>
        sendEmail({ kind: "confirmation", userId: user.id, ...confirmationEmail({ siteName: settings.siteName, url, user, token }) }),
    },
    plugins: [
      twoFactor({ twoFactorTable: "two_factors" }),
      passkey({
        rpName: settings.siteName,
        rpID: new URL(url).hostname,
        origin: new URL(url).origin,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        authentication: { afterVerification: async ({ verification }) => mustBeVerified(verification.authenticationInfo) },
        schema: { passkey: { modelName: "passkeys" } },
        advanced: { webAuthnChallengeCookie: `${cookiePrefix(url)}inkstead_passkey` },
      }),
    ],
    advanced: {
      // `__Host-` is stronger than the library's prefix.
      useSecureCookies: false,
      cookiePrefix: `${cookiePrefix(url)}better-auth`,
      defaultCookieAttributes: { secure: url.startsWith("https:") },
      cookies: { session_token: { name: sessionCookieName(url) } },
      // A test checks the schema; doing it at each start would read the whole catalog.
      database: { validateSchema: false, generateId: ({ model }) => (model === "user" && chosenId.getStore()) || newId(now()) },
      ipAddress: { ipAddressHeaders: [ipHeader] },
    },
  } satisfies BetterAuthOptions;
}

/** A passkey replaces both steps of signing in. */
function mustBeVerified({ userVerified }: { userVerified: boolean }): void {
  if (!userVerified) throw new APIError("UNAUTHORIZED", { message: "user verification required" });
}

function report(log: Log | undefined, message: string, details: unknown[]): void {
  const err = details.find((detail) => detail instanceof Error);
  // Two sign-ups with the same address; the second one gets its own message.
  if (!isDuplicate(err ?? {})) log?.error({ err }, `accounts: ${message}`);
}

export function createAuth(parts: AuthParts) {
  return betterAuth(authOptions(parts));
}

export type Auth = ReturnType<typeof createAuth>;
