/** An error as often as it happened; times in milliseconds. */
export type FaultRow = {
  fingerprint: string;
  source: "server" | "browser";
  message: string;
  stack: string;
  /** Where it happened last, as a pattern; and in which request. */
  route: string | null;
  requestId: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
  dismissedAt: number | null;
};
