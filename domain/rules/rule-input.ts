import { z } from "zod";
import { searchWords } from "#platform/database/search/search-words.ts";
import { type Condition, type Outcome, ruleLimits, ruleTexts } from "./rule.ts";

const count = (most: number, least: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || (/^\d{1,6}$/.test(text) && Number(text) <= most && Number(text) >= least), ruleTexts.number(most))
    .default("");

export const RuleInput = z
  .object({
    younger: count(ruleLimits.days, 1),
    links: count(ruleLimits.links, 0),
    stories: count(ruleLimits.stories, 1),
    words: z
      .string()
      .transform(searchWords)
      .pipe(z.array(z.string().max(ruleLimits.word, ruleTexts.word)).max(ruleLimits.words, ruleTexts.tooManyWords))
      .default([]),
    outcome: z.enum(["hold", "report"] satisfies Outcome[]).default("report"),
    message: z.string().trim().max(ruleLimits.message, ruleTexts.message).default(""),
  })
  .transform(({ younger, links, stories, words, outcome, message }): RuleInput => {
    const conditions: Condition[] = [
      ...(younger === "" ? [] : [{ kind: "younger" as const, days: Number(younger) }]),
      ...(stories === "" ? [] : [{ kind: "stories" as const, fewer: Number(stories) }]),
      ...(links === "" ? [] : [{ kind: "links" as const, more: Number(links) }]),
      ...[...new Set(words)].map((word) => ({ kind: "word" as const, word })),
    ];
    return { conditions, outcome, message: message || ruleTexts.defaultMessage };
  })
  .refine(({ conditions }) => conditions.length > 0, { path: ["younger"], error: ruleTexts.nothing });

export type RuleInput = { conditions: Condition[]; outcome: Outcome; message: string };
