import { z } from "zod";
import { checkEmail, normalizeEmail } from "#domain/accounts/account.ts";
import { signUp } from "#domain/accounts/accounts.server.ts";
import { readPrefs, renameAccountAndProfile, writePrefs } from "#domain/accounts/changes.server.ts";
import { requestEmailChange } from "#domain/accounts/email-change.server.ts";
import { withUserId } from "#domain/accounts/sign-in/auth.server.ts";
import { changePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { checkName, nameMaxLength, normalizeName } from "#domain/names.ts";
import { isRefusal } from "#domain/refusals.ts";
import { requireMember } from "../caller.ts";
import { ApiError } from "../errors.ts";
import type { Api } from "../operation.ts";
import { Email, invalidParam, JsonObject, NewAccountId, NewPassword, Password, text } from "../params.ts";
import { Prefs, User, userModel } from "./models.ts";
import { sendSessionToken } from "./session-operations.ts";

const defaultName = "New member";
const changesUser = { method: "patch", response: User, membersOnly: true } as const;

const NewAccount = z.object({ userId: NewAccountId, email: Email, password: NewPassword, name: text(nameMaxLength, 0).optional() });
const NewPrefs = z.object({
  prefs: JsonObject.refine((prefs) => !hasReservedNames(prefs), "Value must be a valid object."),
});

export function accountOperations(api: Api): void {
  api.on(
    { method: "post", path: "/account", summary: "Creates an account without signing in.", body: NewAccount, response: User, status: 201 },
    async ({ site, client, body: { userId, password, ...given } }) => {
      const email = readEmail(given.email);
      const name = given.name ? readName(given.name) : defaultName;
      const id = userId === "unique()" ? undefined : userId;
      const { user } = await withUserId(id, () => signUp(site, client, { name, email, password }, { signIn: false })).catch((error) => {
        throw isRefusal(error) && error.code === "conflict" ? new ApiError("user_already_exists") : toPasswordError(error);
      });
      return userModel(site, user);
    },
  );

  api.on({ method: "get", path: "/account", summary: "Gets the signed-in user.", response: User, membersOnly: true }, async (call) =>
    userModel(call.site, requireMember(call)),
  );

  api.on({ ...changesUser, path: "/account/name", summary: "Changes the name.", body: z.object({ name: text(128) }) }, async (call) => {
    await renameAccountAndProfile(call.site, requireMember(call), readName(call.body.name));
    return userModel(call.site, requireMember(call));
  });

  credentialOperations(api);
  preferenceOperations(api);
}

/** These ask for the current password. */
function credentialOperations(api: Api): void {
  api.on(
    {
      ...changesUser,
      path: "/account/email",
      scope: "none",
      summary: "Requests a new address: emails it a link, to be confirmed on the site while signed in. The address changes only then.",
      body: z.object({ email: Email, password: Password }),
    },
    async (call) => {
      const { password, email } = call.body;
      const viewer = requireMember(call);
      const newEmail = readEmail(email);
      const change =
        newEmail === viewer.email ? Promise.resolve() : requestEmailChange(call.site, viewer, call.client, { email: newEmail, password });
      await change.catch((error) => refuse(error, "user_target_already_exists"));
      return userModel(call.site, requireMember(call));
    },
  );

  api.on(
    {
      ...changesUser,
      path: "/account/password",
      scope: "none",
      summary: "Changes the password and ends all other sessions.",
      body: z.object({ password: NewPassword, oldPassword: Password }),
    },
    async (call) => {
      const { password, oldPassword } = call.body;
      const viewer = requireMember(call);
      // Programs with a key, header or JWT can't receive a new token.
      const keepToken = call.authMethod !== "cookie";
      const change = changePassword(call.site, viewer, call.client, { password, current: oldPassword }, { keepToken });
      const token = await change.catch((error) => refuse(toPasswordError(error), "user_already_exists"));
      if (token) sendSessionToken(call, viewer.id, token);
      return userModel(call.site, requireMember(call));
    },
  );
}

function preferenceOperations(api: Api): void {
  api.on(
    {
      method: "get",
      path: "/account/prefs",
      summary: "Gets the preferences that clients store for the user.",
      response: Prefs,
      membersOnly: true,
    },
    async (call) => readPrefs(call.site, requireMember(call)),
  );

  api.on({ ...changesUser, path: "/account/prefs", summary: "Replaces the stored preferences.", body: NewPrefs }, async (call) => {
    await writePrefs(call.site, requireMember(call), call.body.prefs).catch((error) => {
      throw isRefusal(error) && error.code === "invalid" ? invalidParam("prefs", error.message) : error;
    });
    return userModel(call.site, requireMember(call));
  });
}

function toPasswordError(error: unknown): unknown {
  return isRefusal(error) && error.code === "invalid" && error.field === "password" ? invalidParam("password", error.message) : error;
}

function refuse(error: unknown, onConflict: "user_target_already_exists" | "user_already_exists"): never {
  if (error instanceof ApiError) throw error;
  if (isRefusal(error) && error.code === "invalid") throw new ApiError("user_invalid_credentials");
  throw isRefusal(error) && error.code === "conflict" ? new ApiError(onConflict) : error;
}

/** @throws ApiError for an address that the site does not accept. */
export function readEmail(given: string): string {
  if (checkEmail(given)) throw invalidParam("email", "Value must be a valid email address");
  return normalizeEmail(given);
}

function readName(given: string): string {
  const problem = checkName(given);
  if (problem) throw invalidParam("name", problem);
  return normalizeName(given);
}

/** Some clients reject responses with these names. */
function hasReservedNames(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > 50) return true;
  return Object.entries(value).some(
    ([name, inner]) => name === "__proto__" || name === "constructor" || hasReservedNames(inner, depth + 1),
  );
}
