import { siteVersion } from "../../site-version.ts";
import { Answer, type Call } from "../call.ts";

const mostAnswers = 200;
const longestAnswer = 128 * 1024;
const longestQuestion = 2_000;

type Kept = { version: string; answer: Answer; sameForAll: boolean };
type Asker = Pick<Call, "site" | "viewer" | "version">;
type Made = { answer: object; sameForAll: boolean };

/**
 * Answers to visitors, and to everybody where they are the same, kept for as long as nothing changes: until then each would
 * be made again letter by letter.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, Kept>();

  /** The answer to a question, from before or made now. */
  async answer({ site, viewer, version: known }: Asker, question: string, make: () => Promise<Made>): Promise<Answer> {
    const version = question.length > longestQuestion ? undefined : await siteVersion(site, known);
    const before = this.#kept.get(question);
    if (before && before.version === version && (before.sameForAll || !viewer)) return before.answer;
    const { answer: made, sameForAll } = await make();
    const answer = new Answer(Buffer.from(JSON.stringify(made)));
    if (version !== undefined && answer.json.length <= longestAnswer && (sameForAll || !viewer))
      this.#keep(question, { version, answer, sameForAll });
    return answer;
  }

  #keep(question: string, kept: Kept): void {
    this.#kept.delete(question);
    if (this.#kept.size >= mostAnswers) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(question, kept);
  }
}
