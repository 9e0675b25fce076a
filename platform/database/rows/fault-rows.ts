export type FaultRow = {
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
