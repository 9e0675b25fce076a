import { useEffect, useState } from "react";

const slowAfterMs = 300;

/** Whether `waiting` has been true for long enough to show a skeleton. */
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
