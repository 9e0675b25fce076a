import { Conflict } from "../refusals.ts";
import { draftTexts, type Theirs } from "./draft.ts";

/** Something else stands where the writer's text would have gone; `theirs` is null when nothing does any more. */
export class ChangedMeanwhile extends Conflict {
  readonly theirs: Theirs | null;

  constructor(theirs: Theirs | null) {
    super(theirs ? draftTexts.changed : draftTexts.gone);
    this.theirs = theirs;
  }
}
