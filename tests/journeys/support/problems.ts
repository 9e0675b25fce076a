import type { BrowserContext } from "@playwright/test";

/** What went wrong in a test's browsers without anybody looking. */
export type Problems = {
  allow(expected: RegExp): void;
  /** Whatever a browser says where a connection or the server is gone; which of it depends on what was under way. */
  allowLostConnection(): void;
  alsoWatch(context: BrowserContext): void;
  list(): string[];
};

// Warnings that mean the page is wrong. Refused by policy and hydration are errors in some builds only.
const grave = /content.security.policy|hydrat|did not match/i;

const lostConnection = /net::ERR_|WebSocket connection|Failed to fetch|Load failed|manifest patches/;

/** Listens to every page of the context, those opened later too. */
export function watch(context: BrowserContext): Problems {
  const seen: string[] = [];
  const allowed: RegExp[] = [];

  function listen(each: BrowserContext) {
    each.on("console", (message) => {
      const where = message.location().url;
      if (message.type() === "error" || grave.test(message.text())) seen.push(`${message.text()} (${where})`);
    });
    each.on("weberror", (error) => seen.push(String(error.error())));
  }

  listen(context);
  return {
    allow: (expected) => void allowed.push(expected),
    allowLostConnection: () => void allowed.push(lostConnection),
    alsoWatch: listen,
    list: () => seen.filter((text) => !allowed.some((expected) => expected.test(text))),
  };
}
