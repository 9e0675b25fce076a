import type { DraftSave, OtherVersion } from "#domain/drafts/draft.ts";

export type SaveAnswer =
  | { kind: "saved"; revision: number; featuredImage: string | null }
  | { kind: "changed"; theirs: OtherVersion | null }
  | { kind: "signed-out" | "someone-else" }
  | { kind: "refused"; message: string }
  | { kind: "unreachable" };

export type SendSave = (save: DraftSave, signal: AbortSignal) => Promise<SaveAnswer>;

export const savePath = "/drafts/save";
const saveTimeoutMs = 15_000;
/** What browsers still send for a page that is being closed ends at 64 kB; a character takes three bytes at most. */
const keepaliveMaxCharacters = 20_000;

/** Sends a save to the server; every failure is an answer. */
export const sendSave: SendSave = async (save, signal) => {
  const body = new FormData();
  const text = JSON.stringify(save);
  body.set("save", text);
  const eitherSignal = AbortSignal.any([signal, AbortSignal.timeout(saveTimeoutMs)]);
  try {
    const response = await fetch(savePath, { method: "POST", body, signal: eitherSignal, keepalive: text.length < keepaliveMaxCharacters });
    const answer = (await response.json()) as SaveAnswer;
    return typeof answer.kind === "string" ? answer : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
};
