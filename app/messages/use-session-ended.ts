import { useEffect, useEffectEvent, useState } from "react";
import { useLiveState } from "#app/live/use-live.ts";

/** Whether the session was found to have ended: looked at when the live connection is refused, and when one comes back to the tab. */
export function useSessionEnded(): boolean {
  const [ended, setEnded] = useState(false);
  const state = useLiveState();
  const checkSession = useEffectEvent(() => {
    if (document.visibilityState !== "visible") return;
    fetch("/messages/unread").then(
      ({ status }) => setEnded(status === 401),
      () => {},
    );
  });
  useEffect(() => {
    if (state === "stopped") checkSession();
  }, [state]);
  useEffect(() => {
    const seen = () => checkSession();
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("focus", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("focus", seen);
    };
  }, []);
  return ended;
}
