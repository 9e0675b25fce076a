import type { Generated } from "kysely";

/** A browser that shows a member's notifications while its session lasts. Times in milliseconds. */
type PushDeviceRow = {
  number: Generated<number>;
  userId: string;
  sessionId: string;
  endpoint: string;
  /** The browser's key and secret for what only it may read (RFC 8291), in base64url. */
  publicKey: string;
  secret: string;
  userAgent: string;
  createdAt: number;
  /** In a row. */
  failures: Generated<number>;
};

/** A notification that waits for a device; what it says is read when it is sent. */
type PushRow = {
  number: Generated<number>;
  device: number;
  kind: string;
  key: string;
  dueAt: number;
  expiresAt: number;
  tries: Generated<number>;
};

export type PushTables = { push_devices: PushDeviceRow; pushes: PushRow };
