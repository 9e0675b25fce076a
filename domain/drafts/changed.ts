import { Conflict } from "../refusals.ts";
import { draftTexts, type Theirs } from "./draft.ts";

/** Something else is where the writer's text would have gone; `theirs` is null when nothing is any more. */
export type ChangedMeanwhile = { kind: "changed-meanwhile"; theirs: Theirs | null };

export function changedMeanwhile(theirs: Theirs | null): Conflict {
  return new Conflict(theirs ? draftTexts.changed : draftTexts.gone, undefined, {
    kind: "changed-meanwhile",
    theirs,
  } satisfies ChangedMeanwhile);
}
