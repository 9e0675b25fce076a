/** Who sends a request: each is a cookie of its own, or none. */
export const senders = ["visitor", "member", "unconfirmed", "moderator", "administrator"] as const;
export type Sender = (typeof senders)[number];

export const deliveries = ["whole", "chunked", "half-closed", "slow", "abandoned"] as const;
export type Delivery = (typeof deliveries)[number];

type AttemptBase = {
  /** The row of the table that it belongs to, as `POST /login`. */
  endpoint: string;
  sender: Sender;
  /** The network address that it claims to come from; a proxy on the same machine is believed. */
  network: string;
  headers: [name: string, value: string][];
};

/** One request over HTTP, as it goes onto the wire. */
export type HttpAttempt = AttemptBase & {
  kind: "http";
  method: string;
  /** Path and query, already encoded. */
  target: string;
  body: Buffer | undefined;
  delivery: Delivery;
};

/** One connection to a WebSocket and what is sent on it. */
export type SocketAttempt = AttemptBase & { kind: "socket"; target: string; frames: (string | Buffer)[] };

export type Attempt = HttpAttempt | SocketAttempt;

/** What came back; `status` is 0 where the connection ended without an answer. */
export type Outcome = { status: number; milliseconds: number; bytes: number };
