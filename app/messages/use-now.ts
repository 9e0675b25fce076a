import { useEffect, useState } from "react";
import { useRoot } from "#app/shell/root-data.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { minutes } from "#platform/time.ts";

/** The server's time in UTC until scripts run, then the reader's local time, updated every minute. */
export function useNow(): { now: number; timeZone: string | undefined } {
  const { now: loaded } = useRoot();
  const hydrated = useHydrated();
  const [now, setNow] = useState(loaded);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), minutes(1));
    return () => clearInterval(timer);
  }, []);
  return hydrated ? { now: Math.max(now, loaded), timeZone: undefined } : { now: loaded, timeZone: "UTC" };
}
