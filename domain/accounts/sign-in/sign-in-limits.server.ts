import { countTowardsLimit, enforceRateLimit, isWithinLimit, networkOf, refundRateLimit } from "#domain/limits/rate-limits.server.ts";
import { plainEmail } from "#domain/mail/plain-email.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import type { Site } from "#domain/site.ts";
import type { ClientInfo } from "./auth.server.ts";
import { knownDeviceId } from "./known-devices.server.ts";

const failuresPerNetwork = { max: 100, minutes: 60 };
const failuresPerPerson = { max: 10, minutes: 15 };
const failuresPerDevice = { max: 20, minutes: 60 };
const signInsPerPerson = { max: 60, minutes: 60 };

const freeFailures = 25;
const failuresWindowMinutes = 24 * 60;
const pausesMinutes = [1, 2, 4, 8, 15];
const guessesPerPause = 10;
const warningsPerPerson = { max: 1, minutes: 24 * 60 };

export type GuessedAccount = { id: string; emailVerified: boolean } | undefined;

/** `refund` after a correct password, `reportFailure` after a wrong one. */
export type Guess = { refund: () => Promise<void>; reportFailure: () => Promise<void> };

/**
 * Limits guesses per network, per network and address, and per address (slowed down after 25 a day). Browsers known for the account have
 * their own limit. Unknown addresses count alike. @throws TooMany.
 */
export async function limitGuesses(site: Site, client: ClientInfo, email: string, account: GuessedAccount): Promise<Guess> {
  const network = { kind: "sign-in", network: networkOf(client.ip) };
  const person = { ...network, subject: email };
  // First, so that a blocked network can't add rows for new addresses.
  await enforceRateLimit(site, network, failuresPerNetwork);
  await enforceRateLimit(site, person, failuresPerPerson);
  const device = account && knownDeviceId(site, client.cookie, account.id);
  if (account && device) {
    const known = { kind: "sign-in-known-device", subject: `${device} ${account.id}` };
    await enforceRateLimit(site, known, failuresPerDevice);
    return { refund: () => refundRateLimit(site, [network, person, known]), reportFailure: async () => {} };
  }
  const everywhere = { kind: "sign-in-everywhere", subject: email };
  const pause = { kind: "sign-in-pause", subject: email };
  const { count } = await countTowardsLimit(site, everywhere, failuresWindowMinutes);
  if (count > freeFailures) await enforceRateLimit(site, pause, { max: 1, minutes: pauseAfter(count - freeFailures) });
  return {
    refund: () => refundRateLimit(site, [network, person, everywhere, pause]),
    reportFailure: async () => {
      if (count > freeFailures) await emailGuessingWarning(site, email, account);
    },
  };
}

function pauseAfter(tooMany: number): number {
  return pausesMinutes[Math.floor(tooMany / guessesPerPause)] ?? 15;
}

/** Limits successful sign-ins, each of which creates a session. @throws TooMany after 60 in an hour from one network. */
export async function limitSignIns(site: Site, client: ClientInfo, userId: string): Promise<void> {
  await enforceRateLimit(site, { kind: "signed-in", subject: userId, network: networkOf(client.ip) }, signInsPerPerson);
}

/** A new password ends the delays caused by wrong guesses. */
export async function forgetGuesses(site: Site, email: string): Promise<void> {
  for (const kind of ["sign-in-everywhere", "sign-in-pause"]) await refundRateLimit(site, [{ kind, subject: email }], "all of them");
}

/** Sends at most one a day. An unconfirmed address may belong to someone else. */
async function emailGuessingWarning(site: Site, email: string, account: GuessedAccount): Promise<void> {
  // Counted for unknown addresses too, so that they take the same time.
  if (!(await isWithinLimit(site, { kind: "guessing-warning", subject: email }, warningsPerPerson))) return;
  if (!account?.emailVerified) return;
  const { siteName } = site.settings;
  const body = `Someone tried more than ${freeFailures} wrong passwords for your ${siteName} account in the last day. None of them worked. We’ve slowed down password sign-ins for now, except in browsers you’ve used before.

You don’t have to do anything. If you can’t sign in right away, use a passkey or choose a new password:

${site.url}/forgot-password`;
  const message = plainEmail(siteName, { to: email, subject: `Failed sign-ins to your ${siteName} account`, body });
  await sendEmailNow(site, { kind: "security", userId: account.id, ...message });
}
