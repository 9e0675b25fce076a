import type { Step } from "./step.ts";

/** Index for finding devices that are no longer used. */
export const knownDevicesAge: Step = async (db) => {
  await db.schema.createIndex("known_devices_age").on("known_devices").column("lastSeenAt").execute();
};
