export type Fault = {
  fingerprint: string;
  source: "server" | "browser";
  message: string;
  stack: string;
  route: string | null;
  requestId: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
  dismissedAt: number | null;
};

/** Characters. */
export const faultLimits = { message: 300, stack: 2_000, path: 500 };

/** Says nothing about the visitor. */
export type BrowserFault = { message: string; stack: string; path: string };

export const browserFaultsPath = "/client-errors";

export const faultLists = ["open", "dismissed"] as const;
export type FaultList = (typeof faultLists)[number];

export const faultTexts = {
  dismissed: "Dismissed. It comes back if it happens again.",
  gone: "This error is no longer listed.",
};
