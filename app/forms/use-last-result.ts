import { useState } from "react";

/**
 * What the page's action returned last, for secrets that can't be read again. The router forgets `actionData` when a submission is lost,
 * redirects to the same page, or is followed by a reload.
 */
export function useLastResult<Result>(result: Result | undefined): Result | undefined {
  const [last, setLast] = useState(result);
  if (result !== undefined && result !== last) setLast(result);
  return last;
}
