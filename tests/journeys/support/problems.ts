import type { BrowserContext } from "@playwright/test";

/** Errors in a test's browsers. */
export type Problems = {
  allow(expected: RegExp): void;
  /** Browser errors about a lost connection; which one appears depends on the requests in progress. */
  allowLostConnection(): void;
  alsoWatch(context: BrowserContext): void;
  list(): string[];
};

// Warnings that mean a broken page. Policy violations and hydration errors are logged as errors in some builds only.
const pageErrors = /content.security.policy|hydrat|did not match/i;

const lostConnection = /net::ERR_|WebSocket connection|Failed to fetch|Load failed|manifest patches/;

/** Watches every page of the context, including later ones. */
export function watch(context: BrowserContext): Problems {
  const problems: string[] = [];
  const allowed: RegExp[] = [];

  function listen(each: BrowserContext) {
    each.on("console", (message) => {
      const where = message.location().url;
      if (message.type() === "error" || pageErrors.test(message.text())) problems.push(`${message.text()} (${where})`);
    });
    each.on("weberror", (error) => problems.push(String(error.error())));
  }

  listen(context);
  return {
    allow: (expected) => void allowed.push(expected),
    allowLostConnection: () => void allowed.push(lostConnection),
    alsoWatch: listen,
    list: () => problems.filter((text) => !allowed.some((expected) => expected.test(text))),
  };
}
