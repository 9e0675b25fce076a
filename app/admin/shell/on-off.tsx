import { Badge } from "#app/ui/badge.tsx";

export function OnOff({ on }: { on: boolean }) {
  return on ? (
    <Badge tone="success" dot="solid">
      On
    </Badge>
  ) : (
    <Badge dot="hollow">Off</Badge>
  );
}
