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
    const onVisible = () => checkSession();
    document.addEventListener("visibilitychange", onVisible);
    window.addEventListener("focus", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("focus", onVisible);
    };
  }, []);
  return ended;
}
