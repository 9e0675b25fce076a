import { Conflict } from "../refusals.ts";
import { draftTexts, type OtherVersion } from "./draft.ts";

/** Something else is where the writer's text would have gone; `theirs` is null when nothing is any more. */
export type DraftConflict = { kind: "changed-meanwhile"; theirs: OtherVersion | null };

export function changedMeanwhile(theirs: OtherVersion | null): Conflict {
  return new Conflict(theirs ? draftTexts.changed : draftTexts.gone, undefined, {
    kind: "changed-meanwhile",
    theirs,
  } satisfies DraftConflict);
}
