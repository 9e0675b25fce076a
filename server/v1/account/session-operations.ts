import { z } from "zod";
import { normalizeEmail } from "#domain/accounts/account.ts";
import { type SecondStep, signIn } from "#domain/accounts/accounts.server.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { signOutDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import type { Member } from "#domain/site.ts";
import type { SessionRow } from "#platform/database/schema.ts";
import { extendSession, findSession, maxSessionMs, sessionToken } from "#server/session/session.ts";
import { cookieName, makeJwt, requireMember, sessionCookies, sessionValue } from "../caller.ts";
import { ApiError } from "../errors.ts";
import type { Api, Call } from "../operation.ts";
import { isAnotherSite } from "../origins.ts";
import { Email, Password, range } from "../params.ts";
import { Jwt, Session, SessionList, sessionModel } from "./models.ts";

const ofMember = { scope: "none", membersOnly: true } as const;
const all = { ...ofMember, path: "/account/sessions" };
const one = { ...ofMember, path: "/account/sessions/{sessionId}" };

export function sessionOperations(api: Api): void {
  api.on(
    {
      method: "post",
      path: "/account/sessions/email",
      summary: "Signs in.",
      body: z.object({ email: Email, password: Password }),
      response: Session,
      status: 201,
    },
    signInByEmail,
  );

  api.on({ ...all, method: "get", summary: "Lists the user's sessions.", response: SessionList }, async (call) => {
    const viewer = requireMember(call);
    const rows = await sessionsOf(call, viewer);
    return { total: rows.length, sessions: rows.map((row) => modelOf(row, viewer, call)) };
  });

  api.on({ ...one, method: "get", summary: "Gets one of the user's sessions.", response: Session }, async (call) =>
    modelOf(await findOwnSession(call), requireMember(call), call),
  );

  api.on({ ...one, method: "patch", summary: "Extends a session.", response: Session }, async (call) => {
    await extendSession(call.site, (await findOwnSession(call)).id);
    return modelOf(await findOwnSession(call), requireMember(call), call);
  });

  api.on({ ...all, method: "delete", summary: "Signs out everywhere.", response: "nothing" }, async (call) => {
    await signOutDevices(call.site, requireMember(call), call.client, "all");
    clearSession(call);
    return undefined;
  });

  api.on({ ...one, method: "delete", summary: "Ends a session.", response: "nothing" }, async (call) => {
    const { id } = await findOwnSession(call);
    await call.site.db.deleteFrom("sessions").where("id", "=", id).execute();
    if (id === requireMember(call).sessionId) clearSession(call);
    return undefined;
  });

  api.on(
    {
      ...ofMember,
      method: "post",
      path: "/account/jwts",
      summary: "Creates a short-lived token for the session.",
      body: z.object({ duration: range(0, 3600).default(900) }),
      response: Jwt,
      status: 201,
    },
    async (call) => {
      const { id: userId, sessionId } = requireMember(call);
      if (call.authMethod === "jwt" || !sessionId) throw new ApiError("user_session_not_found");
      const { epoch = 0 } = await findSession(call.site, { id: sessionId });
      return { jwt: await makeJwt(call.site, { userId, sessionId, epoch }, call.body.duration) };
    },
  );
}

async function signInByEmail(call: Call<{ email: string; password: string }>): Promise<object> {
  const { site, client, body } = call;
  if (call.viewer && call.authMethod !== "key") throw new ApiError("user_session_already_exists");
  const email = normalizeEmail(body.email);
  const { user, cookies } = await signIn(site, client, { email, password: body.password }, { reauthenticated: false }).catch((error) => {
    if (detailsOf<SecondStep>(error, "second-step")) throw new ApiError("user_more_factors_required");
    throw isRefusal(error) && error.code === "invalid" ? new ApiError("user_invalid_credentials") : error;
  });
  const token = sessionToken(cookies.join("; "), sessionCookieName(site.url), site.secret);
  const row = await site.db
    .selectFrom("sessions")
    .selectAll()
    .where("token", "=", token ?? "")
    .executeTakeFirstOrThrow();
  const value = call.authMethod === "key" ? sessionValue(site, user.id, row.token) : sendSessionToken(call, user.id, row.token);
  return sessionModel(row, { email, current: true, secret: call.authMethod === "key" ? value : "" });
}

/** Sends the session in each form that clients store. @returns its value. */
export function sendSessionToken(call: Call, userId: string, token: string): string {
  const { site, config } = call;
  const value = sessionValue(site, userId, token);
  for (const cookie of sessionCookies(site, config.project, value)) call.header("set-cookie", cookie);
  setFallbackCookies(call, JSON.stringify({ [cookieName(config.project)]: value }));
  return value;
}

function clearSession(call: Call): void {
  for (const cookie of sessionCookies(call.site, call.config.project, "")) call.header("set-cookie", cookie);
  setFallbackCookies(call, "[]");
}

function setFallbackCookies(call: Call, value: string): void {
  if (call.origin && isAnotherSite(call.origin, call.site.url)) call.header("x-fallback-cookies", value);
}

function sessionsOf(call: Call, viewer: Member): Promise<SessionRow[]> {
  return activeSessions(call, viewer).orderBy("createdAt").orderBy("id").limit(500).execute();
}

async function findOwnSession(call: Call): Promise<SessionRow> {
  const viewer = requireMember(call);
  const requested = call.params.sessionId ?? "";
  if (requested === "current" && call.authMethod === "jwt") throw new ApiError("user_session_not_found");
  const id = requested === "current" ? viewer.sessionId : requested;
  const found = await activeSessions(call, viewer)
    .where("id", "=", id ?? "")
    .executeTakeFirst();
  if (!found) throw new ApiError("user_session_not_found");
  return found;
}

/** Ended sessions stay in the table until the hourly sweep. */
function activeSessions({ site }: Call, viewer: Member) {
  return site.db
    .selectFrom("sessions")
    .selectAll()
    .where("userId", "=", viewer.id)
    .where("expiresAt", ">", new Date(site.now()).toISOString())
    .where("createdAt", ">", new Date(site.now() - maxSessionMs).toISOString());
}

function modelOf(row: SessionRow, { email, sessionId }: Member, { authMethod }: Call) {
  return sessionModel(row, { email, current: row.id === sessionId && authMethod !== "jwt" });
}
