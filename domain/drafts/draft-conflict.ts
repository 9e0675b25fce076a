import { Conflict } from "../refusals.ts";
import { draftTexts, type OtherVersion } from "./draft.ts";

/** The text was changed since the writer saw it; `theirs` is null if it is gone. */
export type DraftConflict = { kind: "changed-meanwhile"; theirs: OtherVersion | null };

export function changedMeanwhile(theirs: OtherVersion | null): Conflict {
  return new Conflict(theirs ? draftTexts.changed : draftTexts.gone, undefined, {
    kind: "changed-meanwhile",
    theirs,
  } satisfies DraftConflict);
}
