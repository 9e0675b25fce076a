/** Kinds of senders, each with its own cookies or none. */
export const senders = ["visitor", "member", "unconfirmed", "moderator", "administrator"] as const;
export type Sender = (typeof senders)[number];

export const deliveries = ["whole", "chunked", "half-closed", "slow", "abandoned"] as const;
export type Delivery = (typeof deliveries)[number];

type AttemptBase = {
  /** The endpoint's row in the table, as `POST /login`. */
  endpoint: string;
  sender: Sender;
  /** The client address in the forwarding header, which the site trusts from this machine. */
  network: string;
  headers: [name: string, value: string][];
};

/** An HTTP request as sent. */
export type HttpAttempt = AttemptBase & {
  kind: "http";
  method: string;
  /** Path and query, already encoded. */
  target: string;
  body: Buffer | undefined;
  delivery: Delivery;
};

/** A WebSocket connection and its frames. */
export type SocketAttempt = AttemptBase & { kind: "socket"; target: string; frames: (string | Buffer)[] };

export type Attempt = HttpAttempt | SocketAttempt;

/** The outcome; `status` is 0 when the connection ended without a response. */
export type Outcome = { status: number; milliseconds: number; bytes: number };
