import type { FaultRow } from "#platform/database/rows/fault-rows.ts";

export type Fault = FaultRow;

export const faultLimits = { message: 300, stack: 2_000, path: 500 };

export type BrowserFault = { message: string; stack: string; path: string };

export const browserFaultsPath = "/client-errors";

export const faultLists = ["open", "dismissed"] as const;
export type FaultList = (typeof faultLists)[number];

export const faultTexts = {
  dismissed: "Dismissed. It comes back if it happens again.",
  gone: "This error is no longer listed.",
};
