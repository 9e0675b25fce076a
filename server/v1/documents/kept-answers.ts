import { Bounded } from "#platform/memory.ts";
import { siteVersion } from "#server/pages/site-version.ts";
import { Answer, type Call } from "../call.ts";

const limits = { entries: 3_000, bytes: 32 * 1024 * 1024 };
/** Beside an answer's bytes. */
const entryBytes = 1_000;
const longestAnswer = 128 * 1024;
const longestQuestion = 2_000;

type CachedAnswer = { version: string; answer: Answer };
type Asker = Pick<Call, "site" | "viewer" | "version">;
type FreshAnswer = { answer: object; sameForAll: boolean };

/**
 * Answers to visitors, and to members where those are the same for all of them, kept for as long as nothing changes: until then each
 * would be made again letter by letter. A visitor is never given a member's answer, nor a member a visitor's.
 */
export class KeptAnswers {
  readonly #kept = new Bounded<string, CachedAnswer>(limits);

  async answer({ site, viewer, version: known }: Asker, question: string, make: () => Promise<FreshAnswer>): Promise<Answer> {
    const version = question.length > longestQuestion ? undefined : await siteVersion(site, known);
    const key = `${viewer ? "member" : "visitor"} ${question}`;
    const before = this.#kept.get(key);
    if (before && before.version === version) return before.answer;
    const { answer: made, sameForAll } = await make();
    // Not a Buffer: small ones are pieces of larger ones, all of which would be kept.
    const answer = new Answer(new TextEncoder().encode(JSON.stringify(made)));
    if (version !== undefined && answer.json.length <= longestAnswer && (sameForAll || !viewer))
      this.#kept.set(key, { version, answer }, answer.json.length + 2 * key.length + entryBytes);
    return answer;
  }
}
