import { Form } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { MonitorSmartphone } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { deviceName } from "#domain/accounts/sign-in/device-name.ts";
import type { Device } from "#domain/accounts/sign-in/devices.server.ts";

export function DeviceList({ devices }: { devices: Device[] }) {
  return (
    <>
      <ul className="rounded-lg border border-line bg-raised">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
      {devices.length > 1 && (
        <Form method="post" action="/account/devices" preventScrollReset className="mt-4">
          <Button type="submit" name="all" value="yes">
            Sign out all other devices
          </Button>
        </Form>
      )}
    </>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const { now } = useRoot();
  const name = deviceName(device.userAgent);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4 first:border-t-0">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          {name}
          {device.current && (
            <Badge tone="success" dot="solid">
              This device
            </Badge>
          )}
        </p>
        <p className="num text-sm text-ink-2">
          {device.address && <>{device.address} · </>}
          Last seen <TimeAgo time={device.lastSeen} now={now} />
        </p>
      </div>
      {!device.current && (
        <Form method="post" action="/account/devices" preventScrollReset>
          <input type="hidden" name="id" value={device.id} />
          <Button type="submit" size="sm" aria-label={`Sign out ${name}`}>
            Sign Out
          </Button>
        </Form>
      )}
    </li>
  );
}
