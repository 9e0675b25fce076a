import { isRefusal, type Refusal } from "#domain/refusals.ts";
import { isTooLarge } from "#platform/bounded-body.ts";
import type { ApiConfig } from "#platform/config.ts";
import { isOutage } from "#platform/database/errors.ts";
import type { LimitRefusal } from "../limits/refuse.ts";

export const protocolVersion = "1.7.0";

const catalog = {
  general_argument_invalid: [400, "The request contains one or more invalid arguments. Please refer to the endpoint documentation."],
  general_query_invalid: [400, "The query's syntax is invalid. Please check the query and try again."],
  general_query_limit_exceeded: [400, "The queries hold more conditions or values than one request may."],
  general_cursor_not_found: [400, "The cursor's document could not be found."],
  general_unauthorized_scope: [401, "User (role: guests) missing scope (account)"],
  general_unknown_origin: [403, "Invalid Origin."],
  general_maintenance: [503, "Site is under maintenance. Please check back later."],
  general_route_not_found: [
    404,
    "Route not found. Please ensure the endpoint is configured correctly and that the API route is valid for this SDK version.",
  ],
  general_rate_limit_exceeded: [429, "Rate limit for the current endpoint has been exceeded. Please try again after some time."],
  general_request_too_large: [413, "The request's body is too long."],
  general_address_too_long: [414, "The request's URL is too long."],
  general_headers_too_large: [431, "The request's headers are too long."],
  general_server_error: [500, "Server Error"],
  general_unavailable: [503, "This can't be done right now. Please try again later."],
  project_not_found: [
    404,
    "Project with the requested ID could not be found. Please check the value of the X-Appwrite-Project header to ensure the correct project ID is being used.",
  ],
  user_unauthorized: [401, "The current user is not authorized to perform the requested action."],
  user_already_exists: [409, "A user with the same id, email, or phone already exists in this project."],
  user_invalid_credentials: [401, "Invalid credentials. Please check the email and password."],
  user_session_already_exists: [401, "Creation of a session is prohibited when a session is active."],
  user_more_factors_required: [401, "This account uses two-step verification: sign in on the site's own pages."],
  user_session_not_found: [404, "The current user session could not be found."],
  user_not_found: [404, "User with the requested ID could not be found."],
  user_invalid_token: [401, "Invalid token passed in the request."],
  user_email_already_verified: [409, "User email is already verified"],
  user_jwt_invalid: [401, "Failed to verify JWT."],
  user_target_already_exists: [409, "A target with the same ID already exists."],
  database_not_found: [404, "Database not found"],
  collection_not_found: [404, "Collection with the requested ID could not be found."],
  document_not_found: [404, "Document with the requested ID could not be found."],
  document_already_exists: [
    409,
    "Document with the requested ID already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  document_invalid_structure: [400, "The document structure is invalid. Please ensure the attributes match the collection definition."],
  document_missing_data: [400, "The document data is missing. Try again with document data populated"],
  document_missing_payload: [
    400,
    "The document data and permissions are missing. You must provide either document data or permissions to be updated.",
  ],
  document_update_conflict: [409, "Remote document is newer than local."],
  attribute_not_found: [404, "Attribute with the requested ID could not be found."],
  attribute_type_invalid: [400, "The attribute type is invalid."],
  attribute_limit_exceeded: [400, "The attribute has reached its limit."],
  database_query_order_null: [400, "The order attribute had a null value."],
  storage_bucket_not_found: [404, "Storage bucket with the requested ID could not be found."],
  storage_file_not_found: [404, "The requested file could not be found."],
  storage_file_already_exists: [409, "A storage file with the requested ID already exists."],
  storage_file_empty: [400, "Empty file passed to the endpoint."],
  storage_file_type_unsupported: [400, "File extension not allowed"],
  storage_invalid_file_size: [400, "File size not allowed"],
  storage_invalid_content_range: [400, "The content range is invalid. Please check the value of the Content-Range header."],
  storage_invalid_appwrite_id: [
    400,
    "The value for x-appwrite-id header is invalid. Please check the value of the x-appwrite-id header is a valid id and not unique().",
  ],
  storage_invalid_range: [416, "The requested range is not satisfiable. Please check the value of the Range header."],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorType = keyof typeof catalog;

export class ApiError extends Error {
  readonly type: string;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(type: ErrorType, message: string = catalog[type][1], retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.type = type;
    this.status = catalog[type][0];
  }

  toBody(path = ""): { message: string; code: number; type: string; version: string } {
    const type = path.includes("/tablesdb/") ? this.type.replace(/^document_/, "row_").replace(/^collection_/, "table_") : this.type;
    return {
      message: this.message,
      code: this.status,
      type: type.replace(/^attribute_/, path.includes("/tablesdb/") ? "column_" : "attribute_"),
      version: protocolVersion,
    };
  }
}

const limitTypes: Record<LimitRefusal["status"], ErrorType> = {
  403: "general_unknown_origin",
  413: "general_request_too_large",
  414: "general_address_too_long",
  429: "general_rate_limit_exceeded",
  431: "general_headers_too_large",
  503: "general_unavailable",
};

export function limitError({ status, retryAfter }: LimitRefusal): ApiError {
  return new ApiError(limitTypes[status], undefined, retryAfter);
}

const resourcePaths =
  /^(?:\/v1)?\/(?:databases\/([^/]+)\/collections\/[^/]+\/documents|tablesdb\/([^/]+)\/tables\/[^/]+\/rows|storage\/buckets\/([^/]+)\/files)(?:\/|$)/;

/** For an address without an operation: whether its database, its collection or its bucket is unknown. */
export function routeError(path: string, { database, bucket }: ApiConfig): ErrorType {
  const [found, ofCollections, ofTables, bucketName] = resourcePaths.exec(path) ?? [];
  if (!found || bucketName === bucket) return "general_route_not_found";
  if (bucketName) return "storage_bucket_not_found";
  return (ofCollections ?? ofTables) === database ? "collection_not_found" : "database_not_found";
}

type Names = Record<Refusal["code"], ErrorType>;

const documents: Names = {
  "not-found": "document_not_found",
  "not-allowed": "user_unauthorized",
  "sign-in-required": "user_unauthorized",
  "reauthentication-required": "user_unauthorized",
  conflict: "document_already_exists",
  invalid: "document_invalid_structure",
  "too-many": "general_rate_limit_exceeded",
  "too-large": "storage_invalid_file_size",
  unavailable: "general_unavailable",
  maintenance: "general_maintenance",
};
const files: Names = {
  ...documents,
  "not-found": "storage_file_not_found",
  conflict: "storage_file_already_exists",
  invalid: "storage_file_type_unsupported",
};
const account: Names = {
  ...documents,
  "not-found": "user_not_found",
  conflict: "user_already_exists",
  invalid: "general_argument_invalid",
};

const outageRetrySeconds = 10;

/** The client's error for a thrown one; undefined for unexpected errors. The domain's texts go before the protocol's. */
export function translate(error: unknown, path: string): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (isTooLarge(error)) return new ApiError("general_request_too_large");
  if (isOutage(error)) return new ApiError("general_unavailable", undefined, outageRetrySeconds);
  if (!isRefusal(error)) return undefined;
  const names = path.includes("/storage/") ? files : path.includes("/account") ? account : documents;
  const type = names[error.code];
  if (error.isGeneric || error.code === "conflict") return new ApiError(type);
  const message = type === "document_invalid_structure" ? `Invalid document structure: ${error.message}` : error.message;
  return new ApiError(type, message, error.retryAfterSeconds);
}
