import type { RuleRow } from "#platform/database/rows/rule-rows.ts";
import { fullCount, pluralize } from "../format.ts";

/** Rules are checked when a story is published or changed. */
export type Condition =
  | { kind: "younger"; days: number }
  | { kind: "links"; more: number }
  | { kind: "word"; word: string }
  | { kind: "stories"; fewer: number };

export type Outcome = RuleRow["outcome"];

export type Rule = {
  id: string;
  conditions: Condition[];
  outcome: Outcome;
  message: string;
  enabled: boolean;
  updatedAt: number;
};

export type RuleFacts = { accountDays: number; links: number; earlierPosts: number; containsWord: Record<string, boolean> };

export const ruleLimits = { days: 3650, links: 1000, stories: 1000, word: 64, words: 5, message: 500, rules: 50 };

/** A dry run: days back, stories checked at first and at most, matches shown. */
export const dryRunDays = 30;
export const dryRunInitialPosts = 200;
export const dryRunMaxPosts = 5_000;
export const dryRunMaxMatches = 20;

export const ruleTexts = {
  nothing: "A rule needs at least one condition",
  number: (most: number) => `Please enter a whole number up to ${fullCount(most)}`,
  word: "Enter one word of letters and digits",
  tooManyWords: `Up to ${ruleLimits.words} words`,
  message: `The message cannot exceed ${ruleLimits.message} characters`,
  tooMany: `You can have up to ${ruleLimits.rules} rules`,
  defaultMessage: "We review stories like this one before they go live. We’ll look at yours soon.",
  saved: "Rule saved. Check what it would have matched, then turn it on.",
  changed: "Someone else changed this rule. Save again to replace their version with yours.",
  changedBeforeOn: "Someone else changed this rule. Check what it would have matched, then turn it on.",
  on: "Rule turned on",
  off: "Rule turned off",
  removed: "Rule deleted",
};

export const outcomeNames: Record<Outcome, string> = { hold: "Hold the story", report: "Send to the report queue" };

export function matchesConditions(conditions: Condition[], facts: RuleFacts): boolean {
  return conditions.length > 0 && conditions.every((condition) => isFulfilled(condition, facts));
}

function isFulfilled(condition: Condition, { accountDays, links, earlierPosts, containsWord }: RuleFacts): boolean {
  switch (condition.kind) {
    case "younger":
      return accountDays < condition.days;
    case "links":
      return links > condition.more;
    case "word":
      return containsWord[condition.word] === true;
    case "stories":
      return earlierPosts < condition.fewer;
  }
}

export function ruleInWords(conditions: Condition[]): string {
  return conditions.map(inWords).join(" and ");
}

function inWords(condition: Condition): string {
  switch (condition.kind) {
    case "younger":
      return `the account is less than ${pluralize(condition.days, "day", "days", fullCount)} old`;
    case "links":
      return `the story has more than ${pluralize(condition.more, "link", "links", fullCount)}`;
    case "word":
      return `the story contains “${condition.word}”`;
    case "stories":
      return `the author has published fewer than ${pluralize(condition.fewer, "story", "stories", fullCount)}`;
  }
}
