import { useEffect, useState } from "react";
import { Form, useSubmit } from "react-router";
import { SettingsList, SettingsRow } from "#app/accounts/settings-list.tsx";
import { SettingsSection } from "#app/accounts/settings-section.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { Bell, MonitorSmartphone } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import type { PushDevice } from "#domain/push/push-device.ts";
import { findPushBlocker, type PushBlocker, subscribeDevice, unsubscribeDevice } from "./subscribe-device.ts";

const devicesPath = "/notifications/devices";

export function PushDevices({ devices, publicKey }: { devices: PushDevice[]; publicKey: string }) {
  return (
    <SettingsSection
      id="devices"
      title="Your devices"
      text="They show notifications even when this site isn’t open, until you sign out on them. For messages, they show who wrote, not the text."
    >
      {devices.length > 0 && (
        <SettingsList className="mb-4">
          {devices.map((device) => (
            <DeviceRow key={device.number} device={device} />
          ))}
        </SettingsList>
      )}
      {!devices.some(({ current }) => current) && <TurnOn publicKey={publicKey} />}
      <noscript>
        <p className="text-sm text-ink-2">To get notifications on this device, turn on JavaScript.</p>
      </noscript>
    </SettingsSection>
  );
}

function DeviceRow({ device: { number, browser, since, current } }: { device: PushDevice }) {
  const { now } = useRoot();
  const details = (
    <>
      Since <TimeAgo time={since} now={now} />
    </>
  );
  return (
    <SettingsRow icon={MonitorSmartphone} title={browser} isThisDevice={current} details={details}>
      <Form method="post" action={devicesPath} preventScrollReset onSubmit={() => current && void unsubscribeDevice()}>
        <input type="hidden" name="remove" value={number} />
        <Button type="submit" size="sm" aria-label={`Remove ${browser}`}>
          Remove
        </Button>
      </Form>
    </SettingsRow>
  );
}

const blockerTexts: Record<Exclude<PushBlocker, null> | "failed", string> = {
  unsupported:
    "This browser can’t show notifications from this site. On an iPhone or iPad, add the site to the Home Screen and open it from there.",
  refused: "Notifications from this site are blocked in this browser. Allow them in its settings, then try again.",
  failed: "We couldn’t turn on notifications in this browser. Please try again later.",
};

function TurnOn({ publicKey }: { publicKey: string }) {
  const submit = useSubmit();
  const [state, setState] = useState<keyof typeof blockerTexts | "unknown" | "ready" | "busy">("unknown");
  useEffect(() => setState(findPushBlocker() ?? "ready"), []);
  if (state === "unknown") return null;
  const turnOn = async () => {
    setState("busy");
    try {
      const device = await subscribeDevice(publicKey);
      if (device === "refused") return setState(findPushBlocker() ?? "ready");
      await submit(device, { method: "post", action: devicesPath, preventScrollReset: true });
      setState("ready");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      {state !== "unsupported" && (
        <Button type="button" icon={Bell} busy={state === "busy"} onClick={turnOn}>
          Get notifications on this device
        </Button>
      )}
      {state in blockerTexts && (
        <p role="status" className="mt-3 text-sm text-ink-2">
          {blockerTexts[state as keyof typeof blockerTexts]}
        </p>
      )}
    </>
  );
}
