import { APIError } from "better-auth/api";
import {
  authHeaders,
  type ClientInfo,
  chosenUserId,
  withPasswordHash,
  withVerifiedPassword,
} from "#domain/accounts/sign-in/auth.server.ts";
import { hashPassword, isOutdated, verifyDummyHash, verifyPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { requireGoodPassword } from "#domain/accounts/sign-in/password-rules.server.ts";
import { recordSignIn } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { endOldestSessions } from "#domain/accounts/sign-in/sessions.server.ts";
import { limitGuesses, limitSignIns } from "#domain/accounts/sign-in/sign-in-limits.server.ts";
import { enforceRateLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { createProfile } from "../profiles/profiles.server.ts";
import { Conflict, Invalid, NotAllowed, SignInRequired } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { requireUnusedId } from "./account-ids.server.ts";
import type { SignInInput, SignUpInput } from "./account-input.ts";
import { requireNotBarred } from "./barred-addresses.server.ts";
import { sendFirstConfirmation } from "./confirmation.server.ts";
import { requireFreeEmail } from "./email-change.server.ts";

/** The password was correct and a second step is required; the cookies identify the challenge. */
export type SecondStep = { kind: "second-step"; cookies: string[] };

export type SignedIn = { user: { id: string; name: string; email: string }; cookies: string[] };

const signUps = { max: 60, minutes: 60 };

/**
 * Creates an account and signs in. The account stays usable if creating the profile or sending the confirmation fails. `byOperator` skips
 * the registration setting and the confirmation. @throws NotAllowed, Conflict for a taken address, Invalid for `password` or a barred
 * `email`, TooMany.
 */
export async function signUp(
  site: Site,
  client: ClientInfo,
  input: SignUpInput,
  { signIn = true, byOperator = false } = {},
): Promise<SignedIn> {
  if (!byOperator && !site.settings.allowRegistration) throw new NotAllowed(accountTexts.registrationClosed);
  await enforceRateLimit(site, { kind: "sign-up", network: networkOf(client.ip) }, signUps);
  await requireNotBarred(site, input.email);
  const chosenId = chosenUserId();
  if (chosenId !== undefined) await requireUnusedId(site, chosenId);
  const { name, email, password } = input;
  await requireFreeEmail(site.db, site.now(), email, null);
  requireGoodPassword(site, input, password);
  const open = () => site.auth.api.signUpEmail({ body: { name, email, password }, headers: authHeaders(client), returnHeaders: true });
  const { response, headers } = await withPasswordHash(password, open, networkOf(client.ip)).catch((error) =>
    explainSignUpError(site, email, error),
  );
  const user = { id: response.user.id, name, email };
  if (!signIn) await site.db.deleteFrom("sessions").where("userId", "=", user.id).execute();
  await createProfile(site, { userId: user.id, userName: name }).catch((err) =>
    site.log.error({ err, userId: user.id }, "profile not created"),
  );
  if (!byOperator)
    void sendFirstConfirmation(site, user).catch((err) => site.log.error({ err, userId: user.id }, "confirmation email not sent"));
  const device = signIn ? await recordSignIn(site, client, { userId: user.id, token: String(response.token), reauthenticated: true }) : [];
  return { user, cookies: [...headers.getSetCookie(), ...device] };
}

/** Concurrent sign-ups make the library fail with various errors. */
async function explainSignUpError(site: Site, email: string, error: unknown): Promise<never> {
  if (!(error instanceof APIError)) throw error;
  const chosenId = chosenUserId();
  if (chosenId !== undefined) await requireUnusedId(site, chosenId);
  const taken = await site.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  throw taken ? new Conflict(accountTexts.emailTaken, "email") : error;
}

/**
 * Unknown addresses and wrong passwords get the same answer in the same time. `reauthenticated`: staff needn't confirm their identity again
 * soon. @throws Invalid, TooMany, SignInRequired ("second-step"), Unavailable.
 */
export async function signIn(
  site: Site,
  client: ClientInfo,
  { email, password }: SignInInput,
  { reauthenticated = true } = {},
): Promise<SignedIn> {
  const account = await findCredential(site, email);
  const guess = await limitGuesses(site, client, email, account);
  const hash = await verifyAndRehash(site, client, account, password);
  if (!account || !hash) {
    await guess.reportFailure();
    throw new Invalid(accountTexts.wrongCredentials);
  }
  await guess.refund();
  await limitSignIns(site, client, account.id);
  // Includes cookies: a trusted browser skips the second step.
  const requestHeaders = authHeaders(client, client.cookie);
  const open = () => site.auth.api.signInEmail({ body: { email, password }, headers: requestHeaders, returnHeaders: true });
  const { response, headers } = await withVerifiedPassword(hash, open).catch((error) => {
    throw error instanceof APIError && error.statusCode < 500 ? new Invalid(accountTexts.wrongCredentials) : error;
  });
  if (!("user" in response)) throw secondStep(headers.getSetCookie());
  const { id, name } = response.user;
  const device = await recordSignIn(site, client, { userId: id, token: response.token, epoch: account.securityEpoch, reauthenticated });
  await endOldestSessions(site, id);
  return { user: { id, name, email }, cookies: [...headers.getSetCookie(), ...device] };
}

function secondStep(cookies: string[]): SignInRequired {
  return new SignInRequired("This account asks for a second step", { kind: "second-step", cookies } satisfies SecondStep);
}

type Credential = { id: string; emailVerified: boolean; securityEpoch: number; password: string | null };

function findCredential({ db }: Site, email: string): Promise<Credential | undefined> {
  return db
    .selectFrom("users as u")
    .innerJoin("accounts as a", "a.userId", "u.id")
    .select(["u.id", "u.emailVerified", "u.securityEpoch", "a.password"])
    .where("u.email", "=", email)
    .where("a.providerId", "=", "credential")
    .executeTakeFirst();
}

/** @returns the matching hash, renewed if its cost is outdated; undefined for a wrong password. */
async function verifyAndRehash(
  site: Site,
  client: ClientInfo,
  account: Credential | undefined,
  password: string,
): Promise<string | undefined> {
  const from = networkOf(client.ip);
  if (!account?.password) {
    await verifyDummyHash(password, from);
    return undefined;
  }
  const { id, password: hash } = account;
  if (!(await verifyPassword({ hash, password }, from))) return undefined;
  if (!isOutdated(hash)) return hash;
  const renewed = await hashPassword(password, from);
  const { numUpdatedRows } = await site.db
    .updateTable("accounts")
    .set({ password: renewed })
    .where("userId", "=", id)
    .where("providerId", "=", "credential")
    .where("password", "=", hash)
    .executeTakeFirstOrThrow();
  // After a concurrent change the library checks the old hash again.
  return numUpdatedRows > 0n ? renewed : hash;
}

export async function signOut(site: Site, viewer: Viewer): Promise<string[]> {
  if (viewer) await site.db.deleteFrom("sessions").where("userId", "=", viewer.id).execute();
  const { headers } = await site.auth.api.signOut({ headers: new Headers(), returnHeaders: true });
  return headers.getSetCookie();
}
