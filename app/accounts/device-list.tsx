import { Form } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { MonitorSmartphone } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { deviceName } from "#domain/accounts/sign-in/device-name.ts";
import type { Device } from "#domain/accounts/sign-in/devices.server.ts";
import { SettingsList, SettingsRow } from "./settings-list.tsx";
import { OpenedBy } from "./settings-section.tsx";

export function DeviceList({ devices }: { devices: Device[] }) {
  return (
    <>
      <SettingsList>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </SettingsList>
      {devices.length > 1 && (
        <Form method="post" action="/account/devices" preventScrollReset className="mt-4">
          <OpenedBy />
          <Button type="submit" name="all" value="yes">
            Sign out all other devices
          </Button>
        </Form>
      )}
    </>
  );
}

function DeviceRow({ device: { id, userAgent, current, ip, lastSeen } }: { device: Device }) {
  const { now } = useRoot();
  const name = deviceName(userAgent);
  const details = (
    <>
      {ip && <>{ip} · </>}
      Last seen <TimeAgo time={lastSeen} now={now} />
    </>
  );
  return (
    <SettingsRow icon={MonitorSmartphone} title={name} isThisDevice={current} details={details}>
      {!current && (
        <Form method="post" action="/account/devices" preventScrollReset>
          <OpenedBy />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" size="sm" aria-label={`Sign out ${name}`}>
            Sign out
          </Button>
        </Form>
      )}
    </SettingsRow>
  );
}
