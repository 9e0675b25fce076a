import { useEffect, useState } from "react";

/** Milliseconds after which a list that is on its way shows its skeletons. */
const slowAfterMs = 300;

/** Whether it has been `waiting` for so long that this should be shown. */
export function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && slow;
}
