import type { Generated } from "kysely";

export type EmailChangeRow = {
  id: string;
  userId: string;
  fromEmail: string;
  toEmail: string;
  epoch: number;
  /** `final`: made from an unconfirmed address, which can't undo it. */
  state: "pending" | "replaced" | "made" | "final" | "void";
  requestedAt: number;
  madeAt: number | null;
};

export type KnownDeviceRow = {
  id: string;
  userId: string;
  browser: string | null;
  device: string;
  network: string;
  firstSeenAt: number;
  lastSeenAt: number;
};

export type SecurityEventRow = { number: Generated<number>; userId: string; kind: string; device: string; network: string; at: number };

export type ApiKeyRow = {
  id: string;
  userId: string;
  name: string;
  scopes: string;
  secretHash: string;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
};
