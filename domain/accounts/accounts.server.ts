import { APIError } from "better-auth/api";
import { createProfile } from "../profiles/profiles.server.ts";
import { Conflict, Invalid, NotAllowed, SignInFirst } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import type { SignInInput, SignUpInput } from "./account-input.ts";
import { forgiveAttempt, limitAttempts, networkOf } from "./attempts.server.ts";
import { authHeaders, type Origin, withHashOf } from "./auth.server.ts";
import { sendConfirmation } from "./confirmation.server.ts";

/** The password was right, and the account asks for a second step; the cookies say who is taking it. */
export class SecondStep extends SignInFirst {
  readonly cookies: string[];

  constructor(cookies: string[]) {
    super("This account asks for a second step");
    this.cookies = cookies;
  }
}

/** Somebody who has just come in, and the cookies that let their browser stay in. */
export type SignedIn = { user: { id: string; name: string; email: string }; cookies: string[] };

const signUps = { max: 60, minutes: 60 };
const failuresPerPerson = { max: 10, minutes: 15 };
const failuresPerNetwork = { max: 100, minutes: 60 };

/**
 * Opens an account and signs its owner in, all of it or nothing. The profile and the confirmation mail follow; when one
 * of them fails, the account works all the same. Without `signIn` the session that was opened with it ends at once.
 * @throws NotAllowed while registration is closed, Conflict on a taken address, TooMany.
 */
export async function signUp(site: Site, origin: Origin, input: SignUpInput, { signIn } = { signIn: true }): Promise<SignedIn> {
  if (!site.settings.allowRegistration) throw new NotAllowed(accountTexts.registrationClosed);
  await limitAttempts(site, `sign-up:${networkOf(origin.address)}`, signUps);
  const { name, email, password } = input;
  const open = () => site.auth.api.signUpEmail({ body: { name, email, password }, headers: authHeaders(origin), returnHeaders: true });
  const { response, headers } = await withHashOf(password, open).catch((error) => refuseTakenEmail(site, email, error));
  const user = { id: response.user.id, name, email };
  if (!signIn) await site.db.deleteFrom("sessions").where("userId", "=", user.id).execute();
  await createProfile(site, { userId: user.id, userName: name }).catch((err) =>
    site.log.error({ err, userId: user.id }, "no profile made"),
  );
  void sendConfirmation(site, user).catch((err) => site.log.error({ err, userId: user.id }, "confirmation mail not sent"));
  return { user, cookies: headers.getSetCookie() };
}

/** Whatever the library says when two sign-ups meet: if the address is taken now, that is the reason. */
async function refuseTakenEmail(site: Site, email: string, error: unknown): Promise<never> {
  if (!(error instanceof APIError)) throw error;
  const taken = await site.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  throw taken ? new Conflict(accountTexts.emailTaken, "email") : error;
}

/**
 * Opens a session. An unknown address and a wrong password read the same and take the same time; only failures count
 * towards the limits.
 * @throws Invalid, TooMany, SecondStep.
 */
export async function signIn(site: Site, origin: Origin, { email, password }: SignInInput): Promise<SignedIn> {
  const network = `sign-in:${networkOf(origin.address)}`;
  const person = `${network}:${email}`;
  await limitAttempts(site, person, failuresPerPerson);
  await limitAttempts(site, network, failuresPerNetwork);
  // With its cookies: the browser may be trusted to come without the second step.
  const sent = authHeaders(origin, origin.cookie);
  const open = site.auth.api.signInEmail({ body: { email, password }, headers: sent, returnHeaders: true });
  const { response, headers } = await open.catch((error) => {
    throw error instanceof APIError && error.statusCode < 500 ? new Invalid(accountTexts.wrongCredentials) : error;
  });
  await forgiveAttempt(site, person);
  await forgiveAttempt(site, network);
  if (!("user" in response)) throw new SecondStep(headers.getSetCookie());
  const { id, name } = response.user;
  return { user: { id, name, email }, cookies: headers.getSetCookie() };
}

/** Ends every session of the viewer, on all devices, and returns the cookies that make this browser forget its own. */
export async function signOut(site: Site, viewer: Viewer): Promise<string[]> {
  if (viewer) await site.db.deleteFrom("sessions").where("userId", "=", viewer.id).execute();
  const { headers } = await site.auth.api.signOut({ headers: new Headers(), returnHeaders: true });
  return headers.getSetCookie();
}
