import { z } from "zod";
import { readPrefs } from "#domain/accounts/changes.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { SessionRow } from "#platform/database/schema.ts";
import { isoDate } from "../json.ts";
import { readAgent } from "./agent.ts";

export const Target = z.object({
  $id: z.string(),
  $createdAt: z.string(),
  $updatedAt: z.string(),
  name: z.string(),
  userId: z.string(),
  providerId: z.string().nullable(),
  providerType: z.string(),
  identifier: z.string(),
  expired: z.boolean(),
});

export const User = z.object({
  $id: z.string(),
  $createdAt: z.string(),
  $updatedAt: z.string(),
  name: z.string(),
  registration: z.string(),
  status: z.boolean(),
  labels: z.array(z.string()),
  passwordUpdate: z.string(),
  email: z.string(),
  phone: z.string(),
  emailVerification: z.boolean(),
  phoneVerification: z.boolean(),
  mfa: z.boolean(),
  prefs: z.record(z.string(), z.unknown()),
  targets: z.array(Target),
  accessedAt: z.string(),
});

export const Session = z.object({
  $id: z.string(),
  $createdAt: z.string(),
  $updatedAt: z.string(),
  userId: z.string(),
  expire: z.string(),
  provider: z.string(),
  providerUid: z.string(),
  providerAccessToken: z.string(),
  providerAccessTokenExpiry: z.string(),
  providerRefreshToken: z.string(),
  ip: z.string(),
  osCode: z.string(),
  osName: z.string(),
  osVersion: z.string(),
  clientType: z.string(),
  clientCode: z.string(),
  clientName: z.string(),
  clientVersion: z.string(),
  clientEngine: z.string(),
  clientEngineVersion: z.string(),
  deviceName: z.string(),
  deviceBrand: z.string(),
  deviceModel: z.string(),
  countryCode: z.string(),
  countryName: z.string(),
  current: z.boolean(),
  factors: z.array(z.string()),
  secret: z.string().describe("Only for callers with a key; empty for all others."),
  mfaUpdatedAt: z.string(),
});
export const SessionList = z.object({ total: z.int(), sessions: z.array(Session) });
export const Token = z.object({
  $id: z.string(),
  $createdAt: z.string(),
  userId: z.string(),
  secret: z.string(),
  expire: z.string(),
  phrase: z.string(),
});
export const Jwt = z.object({ jwt: z.string() });
export const Prefs = z.record(z.string(), z.unknown());

export async function userModel(site: Site, viewer: Pick<Member, "id">): Promise<z.input<typeof User>> {
  const [user, prefs, session, credential] = await Promise.all([
    site.db.selectFrom("users").selectAll().where("id", "=", viewer.id).executeTakeFirstOrThrow(),
    readPrefs(site, viewer as Member),
    site.db
      .selectFrom("sessions")
      .select("updatedAt")
      .where("userId", "=", viewer.id)
      .orderBy("updatedAt", "desc")
      .limit(1)
      .executeTakeFirst(),
    site.db
      .selectFrom("accounts")
      .select("updatedAt")
      .where("userId", "=", viewer.id)
      .where("providerId", "=", "credential")
      .executeTakeFirst(),
  ]);
  const [createdAt, updatedAt] = [isoDate(user.createdAt), isoDate(user.updatedAt)];
  const dates = { $createdAt: createdAt, $updatedAt: updatedAt };
  const target = { name: "", userId: user.id, providerId: null, providerType: "email", identifier: user.email, expired: false };
  return {
    $id: user.id,
    ...dates,
    name: user.name,
    registration: createdAt,
    status: true,
    labels: [],
    passwordUpdate: credential ? isoDate(credential.updatedAt) : createdAt,
    email: user.email,
    phone: "",
    emailVerification: user.emailVerified,
    phoneVerification: false,
    mfa: user.twoFactorEnabled === true,
    prefs,
    targets: [{ $id: `${user.id}-mail`.slice(-36), ...dates, ...target }],
    accessedAt: session ? isoDate(session.updatedAt) : createdAt,
  };
}

/** `secret` only for callers with an API key. */
export function sessionModel(
  row: SessionRow,
  { email, current, secret = "" }: { email: string; current: boolean; secret?: string },
): z.input<typeof Session> {
  return {
    $id: row.id,
    $createdAt: isoDate(row.createdAt),
    $updatedAt: isoDate(row.updatedAt),
    userId: row.userId,
    expire: isoDate(row.expiresAt),
    provider: "email",
    providerUid: email,
    providerAccessToken: "",
    providerAccessTokenExpiry: "",
    providerRefreshToken: "",
    ip: row.ipAddress ?? "",
    ...readAgent(row.userAgent),
    countryCode: "--",
    countryName: "Unknown",
    current,
    factors: ["password"],
    secret,
    mfaUpdatedAt: "",
  };
}
