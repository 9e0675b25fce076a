/**
 * What a verb throws when it says no. Handlers translate each code into a status and a text once; they ask for the code
 * with `isRefusal`, never for the class, as development can load a module twice.
 */
export type RefusalCode =
  | "not-found"
  | "not-allowed"
  | "sign-in-first"
  | "verify-first"
  | "conflict"
  | "invalid"
  | "too-many"
  | "too-large"
  | "unavailable"
  | "maintenance";

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, message: string, field?: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class NotFound extends Refusal {
  constructor(message = "Not found") {
    super("not-found", message);
  }
}

export class NotAllowed extends Refusal {
  constructor(message = "You are not allowed to do this") {
    super("not-allowed", message);
  }
}

export class SignInFirst extends Refusal {
  constructor(message = "Please log in first") {
    super("sign-in-first", message);
  }
}

export class VerifyFirst extends Refusal {
  constructor(message = "Please confirm that it’s you first") {
    super("verify-first", message);
  }
}

export class Conflict extends Refusal {
  constructor(message: string, field?: string) {
    super("conflict", message, field);
  }
}

export class Invalid extends Refusal {
  constructor(message: string, field?: string) {
    super("invalid", message, field);
  }
}

export class TooMany extends Refusal {
  constructor(message = "Too many attempts. Please try again later.", retryAfterSeconds?: number) {
    super("too-many", message, undefined, retryAfterSeconds);
  }
}

export class TooLarge extends Refusal {
  constructor(message: string) {
    super("too-large", message);
  }
}

export class Unavailable extends Refusal {
  constructor(message: string, field?: string, retryAfterSeconds?: number) {
    super("unavailable", message, field, retryAfterSeconds);
  }
}

export class UnderMaintenance extends Refusal {
  constructor(message: string) {
    super("maintenance", message);
  }
}

const statuses: Record<RefusalCode, number> = {
  "not-found": 404,
  "not-allowed": 403,
  "sign-in-first": 401,
  "verify-first": 403,
  conflict: 409,
  invalid: 422,
  "too-many": 429,
  "too-large": 413,
  unavailable: 503,
  maintenance: 503,
};

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === "Refusal" && (error as Refusal).code in statuses;
}

export function statusOf(refusal: Refusal): number {
  return statuses[refusal.code];
}

export function retryAfterOf({ retryAfterSeconds }: Refusal): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
}
