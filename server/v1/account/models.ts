import { z } from "zod";
import { readPrefs } from "#domain/accounts/changes.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { SessionRow } from "#platform/database/schema.ts";
import { isoDate } from "../json.ts";
import { texts } from "../params.ts";
import { agentFields, readAgent } from "./agent.ts";

export const Target = z.object({
  ...texts("$id", "$createdAt", "$updatedAt", "name", "userId"),
  providerId: z.string().nullable(),
  ...texts("providerType", "identifier"),
  expired: z.boolean(),
});

export const User = z.object({
  ...texts("$id", "$createdAt", "$updatedAt", "name", "registration"),
  status: z.boolean(),
  labels: z.array(z.string()),
  ...texts("passwordUpdate", "email", "phone"),
  emailVerification: z.boolean(),
  phoneVerification: z.boolean(),
  mfa: z.boolean(),
  prefs: z.record(z.string(), z.unknown()),
  targets: z.array(Target),
  ...texts("accessedAt"),
});

export const Session = z.object({
  ...texts("$id", "$createdAt", "$updatedAt", "userId", "expire", "provider", "providerUid"),
  ...texts("providerAccessToken", "providerAccessTokenExpiry", "providerRefreshToken", "ip"),
  ...agentFields,
  ...texts("countryCode", "countryName"),
  current: z.boolean(),
  factors: z.array(z.string()),
  secret: z.string().describe("Only for callers with a key; empty for all others."),
  ...texts("mfaUpdatedAt"),
});
export const SessionList = z.object({ total: z.int(), sessions: z.array(Session) });
export const Token = z.object(texts("$id", "$createdAt", "userId", "secret", "expire", "phrase"));
export const Jwt = z.object({ jwt: z.string() });
export const Prefs = z.record(z.string(), z.unknown());

/** Without the address for callers with a key, who have no session. */
export async function userModel(
  site: Site,
  viewer: Pick<Member, "id"> & Partial<Pick<Member, "sessionId">>,
): Promise<z.input<typeof User>> {
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
  const model = {
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
  return viewer.sessionId === null ? withoutAddress(model) : model;
}

export function withoutAddress(user: z.input<typeof User>): z.input<typeof User> {
  return { ...user, email: "", targets: [] };
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
