import { siteVersion, VersionedCache } from "#domain/versioned-cache.server.ts";
import { Answer, type Call } from "../call.ts";

const maxAnswerBytes = 128 * 1024;
const maxQuestionLength = 2_000;

type Asker = Pick<Call, "site" | "viewer" | "version">;
type FreshAnswer = { answer: object; sameForAll: boolean };

const answers = new VersionedCache<Answer>("answer");

/**
 * The answer to a question: to visitors, and to members where it is the same for all of them, the one from before while nothing has
 * changed since. A visitor is never given a member's answer, nor a member a visitor's.
 */
export async function keptAnswer(
  { site, viewer, version: known }: Asker,
  question: string,
  make: () => Promise<FreshAnswer>,
): Promise<Answer> {
  const version = question.length > maxQuestionLength ? undefined : await siteVersion(site, known);
  const key = `${viewer ? "member" : "visitor"} ${question}`;
  const before = version && answers.get(site, key, version);
  if (before) return before;
  const { answer: made, sameForAll } = await make();
  // Not a Buffer: small ones are pieces of larger ones, all of which would be kept.
  const answer = new Answer(new TextEncoder().encode(JSON.stringify(made)));
  if (version !== undefined && answer.json.length <= maxAnswerBytes && (sameForAll || !viewer))
    answers.set(site, key, { version, value: answer, bytes: answer.json.length });
  return answer;
}
