import { useEffect, useEffectEvent, useState } from "react";
import { useLiveState } from "#app/live/use-live.ts";

/** Checks the session when the live connection is refused and when the tab becomes visible again. */
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
