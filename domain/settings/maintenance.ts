import { may } from "../permissions.ts";
import { UnderMaintenance } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";

export function isUnderMaintenance({ settings }: Pick<Site, "settings">, viewer: Viewer): boolean {
  return settings.maintenanceMode && !may(viewer, "enter during maintenance");
}

export function refuseDuringMaintenance(site: Pick<Site, "settings">, viewer: Viewer): void {
  if (isUnderMaintenance(site, viewer)) throw new UnderMaintenance(site.settings.maintenanceMessage);
}
