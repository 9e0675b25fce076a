import type { Step } from "./step.ts";

/** Devices that nobody uses any more are found without reading all of them. */
export const knownDevicesAge: Step = async (db) => {
  await db.schema.createIndex("known_devices_age").on("known_devices").column("lastSeenAt").execute();
};
