import type { Generated } from "kysely";

type PushDeviceRow = {
  number: Generated<number>;
  userId: string;
  sessionId: string;
  endpoint: string;
  /** RFC 8291, base64url. */
  publicKey: string;
  secret: string;
  userAgent: string;
  createdAt: number;
  failures: Generated<number>;
};

/** The text is composed when it is sent. */
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
