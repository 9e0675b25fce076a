import type { DraftKeeper } from "./keeper.ts";

/** The keeper whose text is on its way to becoming a story, between the button and the answer. */
let publishing: DraftKeeper | undefined;

export function beginPublishing(keeper: DraftKeeper): void {
  publishing = keeper;
}

/** The answer leads to the story: the browser forgets its copy before anything else happens. */
export async function wasPublished(): Promise<void> {
  await publishing?.finish();
  publishing = undefined;
}
