import { useState } from "react";

/**
 * What the page's action answered last, for secrets that can't be read again. The router forgets `actionData` when a submission is lost,
 * redirects to the same page, or is followed by a reload.
 */
export function useLastAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const [last, setLast] = useState(answer);
  if (answer !== undefined && answer !== last) setLast(answer);
  return last;
}
