import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { readStored, store } from "#app/browser/stored.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { minutes } from "#platform/time.ts";

const refreshIntervalMs = minutes(1);
const storageKey = "adminAutoRefresh";

/** Reloads the page’s data every minute while the tab is visible. The choice is kept in this browser. */
export function AutoRefresh() {
  return useHydrated() ? <AutoRefreshSwitch /> : null;
}

function AutoRefreshSwitch() {
  const [on, setOn] = useState(() => readStored(storageKey) !== "off");
  const { revalidate } = useRevalidator();
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === "visible") void revalidate();
  });
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => refresh(), refreshIntervalMs);
    return () => clearInterval(timer);
  }, [on]);
  return (
    <div className="inline-flex min-h-10 items-center max-sm:order-last max-sm:w-full max-sm:[&>label]:w-full rounded-md border border-line-strong bg-raised px-3">
      <Switch
        name="auto-refresh"
        label="Auto-refresh"
        defaultChecked={on}
        onChange={(checked) => {
          setOn(checked);
          store(storageKey, checked ? "on" : "off");
          showToast({ tone: "info", text: `Auto-refresh ${checked ? "enabled" : "disabled"}` });
        }}
      />
    </div>
  );
}
