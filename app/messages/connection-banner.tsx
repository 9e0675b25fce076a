import { useEffect, useState } from "react";
import { useLiveState } from "#app/live/use-live.ts";
import { CloudOff } from "#app/ui/icons.tsx";

const bannerDelayMs = 2_500;

export function ConnectionBanner() {
  const state = useLiveState();
  const lost = state !== "open" && state !== "idle";
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), bannerDelayMs);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status" className="shrink-0">
      {shown && (
        <p className="flex items-center justify-center gap-2 border-t border-line bg-sunken px-4 py-1.5 text-sm text-ink-2">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          Connection lost. Messages will be sent when it’s back.
        </p>
      )}
    </div>
  );
}
