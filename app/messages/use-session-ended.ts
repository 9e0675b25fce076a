import { useEffect, useEffectEvent, useState } from "react";
import { RequestRefused } from "#app/browser/fetch-json.ts";
import { ownConnection } from "#app/live/live-connection.ts";
import { useLiveState } from "#app/live/use-live.ts";
import { fetchUnread } from "./requests.ts";

/** Checks the session when the live connection is refused and when the tab becomes visible again, which then connects again. */
export function useSessionEnded(viewerId: string): boolean {
  const [ended, setEnded] = useState(false);
  const state = useLiveState();
  const checkSession = useEffectEvent((returned: boolean) => {
    if (document.visibilityState !== "visible") return;
    fetchUnread(viewerId).then(
      () => {
        setEnded(false);
        // Not just after a refusal, or a server that refuses everything would be asked without end.
        if (returned) ownConnection().restart();
      },
      (error) => error instanceof RequestRefused && setEnded(error.status === 401),
    );
  });
  useEffect(() => {
    if (state === "stopped") checkSession(false);
  }, [state]);
  useEffect(() => {
    const onVisible = () => checkSession(true);
    document.addEventListener("visibilitychange", onVisible);
    window.addEventListener("focus", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("focus", onVisible);
    };
  }, []);
  return ended;
}
