import type { FaultRow } from "#platform/database/rows/fault-rows.ts";

export type TrackedError = FaultRow;

export const errorLimits = { message: 300, stack: 2_000, path: 500 };

export type BrowserError = { message: string; stack: string; path: string };

export const browserErrorsPath = "/client-errors";

export const errorLists = ["open", "dismissed"] as const;
export type ErrorList = (typeof errorLists)[number];

export const errorTexts = {
  dismissed: "Dismissed. It comes back if it happens again.",
  gone: "This error is no longer listed.",
};
