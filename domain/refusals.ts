/** Expected errors of verbs. Handlers check `isRefusal` and `detailsOf`, never class or text: development can load a module twice. */
export type RefusalCode =
  | "not-found"
  | "not-allowed"
  | "sign-in-required"
  | "reauthentication-required"
  | "conflict"
  | "invalid"
  | "too-many"
  | "too-large"
  | "unavailable"
  | "maintenance";

export type RefusalDetails = { readonly kind: string; readonly [name: string]: unknown };

type RefusalOptions = {
  field?: string | undefined;
  retryAfterSeconds?: number | undefined;
  details?: RefusalDetails | undefined;
  isGeneric?: boolean;
};

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: RefusalDetails | undefined;
  readonly isGeneric: boolean;

  constructor(code: RefusalCode, message: string, { field, retryAfterSeconds, details, isGeneric = false }: RefusalOptions = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
    this.isGeneric = isGeneric;
  }
}

export class NotFound extends Refusal {
  constructor(message?: string, details?: RefusalDetails) {
    super("not-found", message ?? "Not found", { details, isGeneric: message === undefined });
  }
}

export class NotAllowed extends Refusal {
  constructor(message?: string, details?: RefusalDetails) {
    super("not-allowed", message ?? "You don’t have permission to do this", { details, isGeneric: message === undefined });
  }
}

export class SignInRequired extends Refusal {
  constructor(message?: string, details?: RefusalDetails) {
    super("sign-in-required", message ?? "Please sign in first", { details, isGeneric: message === undefined });
  }
}

export class ReauthenticationRequired extends Refusal {
  constructor(message = "Please confirm that it’s you first") {
    super("reauthentication-required", message);
  }
}

export class Conflict extends Refusal {
  constructor(message: string, field?: string, details?: RefusalDetails) {
    super("conflict", message, { field, details });
  }
}

export class Invalid extends Refusal {
  constructor(message: string, field?: string, details?: RefusalDetails) {
    super("invalid", message, { field, details });
  }
}

export class TooMany extends Refusal {
  constructor(message = "Too many attempts. Please try again later.", retryAfterSeconds?: number) {
    super("too-many", message, { retryAfterSeconds });
  }
}

export class TooLarge extends Refusal {
  constructor(message: string) {
    super("too-large", message);
  }
}

export class Unavailable extends Refusal {
  constructor(message: string, field?: string, retryAfterSeconds?: number) {
    super("unavailable", message, { field, retryAfterSeconds });
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
  "sign-in-required": 401,
  "reauthentication-required": 403,
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

export function detailsOf<Details extends RefusalDetails>(error: unknown, kind: Details["kind"]): Details | undefined {
  return isRefusal(error) && error.details?.kind === kind ? (error.details as Details) : undefined;
}

export function statusOf(refusal: Refusal): number {
  return statuses[refusal.code];
}

export function retryAfterOf({ retryAfterSeconds }: Refusal): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
}
