import { z } from "zod";
import { type SecondStep, signIn } from "#domain/accounts/accounts.server.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { signOutDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import type { Member } from "#domain/site.ts";
import type { SessionRow } from "#platform/database/schema.ts";
import { extendSession, sessionToken } from "#server/session/session.ts";
import { cookieName, makeJwt, sessionCookies, sessionValue, signedIn } from "../caller.ts";
import { ApiError } from "../errors.ts";
import type { Api, Call } from "../operation.ts";
import { isAnotherSite } from "../origins.ts";
import { Email, Password, range } from "../params.ts";
import { Jwt, Session, SessionList, sessionModel } from "./models.ts";

const one = "/account/sessions/{sessionId}";

export function sessionOperations(api: Api): void {
  api.on(
    {
      method: "post",
      path: "/account/sessions/email",
      does: "Signs in.",
      body: z.object({ email: Email, password: Password }),
      answer: Session,
      status: 201,
    },
    open,
  );

  api.on(
    {
      method: "get",
      path: "/account/sessions",
      scope: "none",
      does: "The user's sessions.",
      answer: SessionList,
      personal: true,
    },
    async (call) => {
      const viewer = signedIn(call);
      const rows = await sessionsOf(call, viewer);
      return { total: rows.length, sessions: rows.map((row) => modelOf(row, viewer, call)) };
    },
  );

  api.on({ method: "get", path: one, scope: "none", does: "One of the user's sessions.", answer: Session, personal: true }, async (call) =>
    modelOf(await find(call), signedIn(call), call),
  );

  api.on({ method: "patch", path: one, scope: "none", does: "Extends a session.", answer: Session, personal: true }, async (call) => {
    await extendSession(call.site, (await find(call)).id);
    return modelOf(await find(call), signedIn(call), call);
  });

  api.on(
    { method: "delete", path: "/account/sessions", scope: "none", does: "Signs out everywhere.", answer: "nothing", personal: true },
    async (call) => {
      await signOutDevices(call.site, signedIn(call), call.origin, "all");
      forget(call);
      return undefined;
    },
  );

  api.on({ method: "delete", path: one, scope: "none", does: "Ends a session.", answer: "nothing", personal: true }, async (call) => {
    const { id } = await find(call);
    await call.site.db.deleteFrom("sessions").where("id", "=", id).execute();
    if (id === signedIn(call).sessionId) forget(call);
    return undefined;
  });

  api.on(
    {
      method: "post",
      path: "/account/jwts",
      scope: "none",
      does: "A short-lived token for the session.",
      body: z.object({ duration: range(0, 3600).default(900) }),
      answer: Jwt,
      status: 201,
      personal: true,
    },
    async (call) => {
      const { id: userId, sessionId } = signedIn(call);
      if (call.way === "jwt" || !sessionId) throw new ApiError("user_session_not_found");
      return { jwt: await makeJwt(call.site, { userId, sessionId }, call.body.duration) };
    },
  );
}

async function open(call: Call<{ email: string; password: string }>): Promise<object> {
  const { site, origin, body } = call;
  if (call.viewer && call.way !== "key") throw new ApiError("user_session_already_exists");
  const email = body.email.trim().toLowerCase();
  const { user, cookies } = await signIn(site, origin, { email, password: body.password }, { proves: false }).catch((error) => {
    if (detailsOf<SecondStep>(error, "second-step")) throw new ApiError("user_more_factors_required");
    throw isRefusal(error) && error.code === "invalid" ? new ApiError("user_invalid_credentials") : error;
  });
  const token = sessionToken(cookies.join("; "), sessionCookieName(site.url), site.secret);
  const row = await site.db
    .selectFrom("sessions")
    .selectAll()
    .where("token", "=", token ?? "")
    .executeTakeFirstOrThrow();
  const value = call.way === "key" ? sessionValue(site, user.id, row.token) : giveSessionToken(call, user.id, row.token);
  return sessionModel(row, { email, current: true, secret: call.way === "key" ? value : "" });
}

/** Sends the session in each way a client may keep it. @returns its value. */
export function giveSessionToken(call: Call, userId: string, token: string): string {
  const { site, config } = call;
  const value = sessionValue(site, userId, token);
  for (const cookie of sessionCookies(site, config.project, value)) call.header("set-cookie", cookie);
  setFallbackCookies(call, JSON.stringify({ [cookieName(config.project)]: value }));
  return value;
}

function forget(call: Call): void {
  for (const cookie of sessionCookies(call.site, call.config.project, "")) call.header("set-cookie", cookie);
  setFallbackCookies(call, "[]");
}

function setFallbackCookies(call: Call, value: string): void {
  if (call.fromOrigin && isAnotherSite(call.fromOrigin, call.site.url)) call.header("x-fallback-cookies", value);
}

function sessionsOf({ site }: Call, viewer: Member): Promise<SessionRow[]> {
  return site.db
    .selectFrom("sessions")
    .selectAll()
    .where("userId", "=", viewer.id)
    .where("expiresAt", ">", new Date(site.now()).toISOString())
    .orderBy("createdAt")
    .orderBy("id")
    .limit(500)
    .execute();
}

async function find(call: Call): Promise<SessionRow> {
  const viewer = signedIn(call);
  const requested = call.params.sessionId ?? "";
  if (requested === "current" && call.way === "jwt") throw new ApiError("user_session_not_found");
  const id = requested === "current" ? viewer.sessionId : requested;
  const found = await call.site.db
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", id ?? "")
    .where("userId", "=", viewer.id)
    .executeTakeFirst();
  if (!found) throw new ApiError("user_session_not_found");
  return found;
}

function modelOf(row: SessionRow, { email, sessionId }: Member, { way }: Call) {
  return sessionModel(row, { email, current: row.id === sessionId && way !== "jwt" });
}
