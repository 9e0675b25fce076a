import { useEffect, useState } from "react";

/** Whether `waiting` has had its value for long enough to show a skeleton; another string starts the time again. */
export function useSlow(waiting: boolean | string | undefined, afterMs = 300): boolean {
  const [slow, setSlow] = useState<typeof waiting>();
  useEffect(() => {
    setSlow(undefined);
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(waiting), afterMs);
    return () => clearTimeout(timer);
  }, [waiting, afterMs]);
  return Boolean(waiting) && slow === waiting;
}
