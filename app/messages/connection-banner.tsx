import { useLiveState } from "#app/live/use-live.ts";
import { useSlow } from "#app/shell/use-slow.ts";
import { CloudOff } from "#app/ui/icons.tsx";

const bannerDelayMs = 2_500;

export function ConnectionBanner() {
  const state = useLiveState();
  const shown = useSlow(state !== "open" && state !== "idle", bannerDelayMs);
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
