import { z } from "zod";
import { passwordMaxLength, passwordMinLength } from "#domain/accounts/account.ts";
import { chosenIdPattern } from "#domain/accounts/account-ids.server.ts";
import { readBytes } from "#platform/bounded-body.ts";
import { kilobyte } from "#platform/bytes.ts";
import { apiIdPattern } from "#platform/ids.ts";
import { ApiError } from "./errors.ts";
import { maxValues, parseBoundedJson } from "./json.ts";

const newIdText =
  "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char";
const newAccountIdText =
  "Parameter must contain between 12 and 36 chars. Valid chars are a-z, A-Z, 0-9, hyphen, and underscore. Can't start with a special char";
const idText = "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore";

export const NewId = z.union([z.literal("unique()"), z.string(newIdText).regex(apiIdPattern, newIdText)], newIdText);
export const NewAccountId = z.union(
  [z.literal("unique()"), z.string(newAccountIdText).regex(chosenIdPattern, newAccountIdText)],
  newAccountIdText,
);
export const Id = z.string(idText).regex(apiIdPattern, idText);

export const Email = z.string("Value must be a valid email address").max(254, "Value must be a valid email address");
export const Password = z
  .string("Password must be between 8 and 256 characters long.")
  .min(8, "Password must be between 8 and 256 characters long.")
  .max(256, "Password must be between 8 and 256 characters long.");
const newPasswordText = `Password must be between ${passwordMinLength} and ${passwordMaxLength} characters long, and should not be one of the commonly used password.`;
export const NewPassword = z.string(newPasswordText).min(passwordMinLength, newPasswordText).max(passwordMaxLength, newPasswordText);

export function text(max: number, min = 1) {
  const message = `Value must be a valid string and at least ${min} chars and no longer than ${max} chars`;
  return z.string(message).min(min, message).max(max, message);
}

/** Text fields of an answer. */
export function texts<Name extends string>(...names: Name[]): Record<Name, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString>;
}

export function range(min: number, max: number, { integer = true } = {}) {
  const message = `Value must be a valid range between ${min.toLocaleString("en")} and ${max.toLocaleString("en")}`;
  const number = z.coerce.number(message).min(min, message).max(max, message);
  return integer ? number.int(message) : number;
}

export const JsonObject = z.record(z.string(), z.unknown(), "Value must be a valid object.");
export const Permissions = z
  .array(z.string().max(200), "Value must a valid array no longer than 100 items and each item must be a permission.")
  .max(100, "Value must a valid array no longer than 100 items and each item must be a permission.");

/** Parses parameters; null counts as absent. @throws ApiError naming the first invalid one. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0] ?? "");
  if (!Object.hasOwn(present, name)) throw new ApiError("general_argument_invalid", `Param "${name}" is not optional.`);
  throw invalidParam(name, (issue && ownErrorText(issue)) ?? "Value is not valid.");
}

/** The text of our schema or of the protocol, never the library's. */
export function ownErrorText(issue: z.core.$ZodIssue): string | undefined {
  if (!/^(Too (big|small)|Invalid |Unrecognized)/.test(issue.message)) return issue.message;
  if (issue.code === "too_big" && issue.origin === "string")
    return `Value must be a valid string and no longer than ${issue.maximum} chars`;
  if (issue.code === "too_small" && issue.origin === "string") return `Value must be a valid string and at least ${issue.minimum} chars`;
  return undefined;
}

export function invalidParam(name: string, message: string): ApiError {
  return new ApiError("general_argument_invalid", `Invalid \`${name}\` param: ${message}`);
}

/** For ids in an address. @throws ApiError. */
export function checkId(name: string, value: string): void {
  if (!Id.safeParse(value).success) throw invalidParam(name, idText);
}

const maxUrlBytes = 16 * kilobyte;

export function queryOf(url: string): Record<string, string | string[]> {
  if (url.length > maxUrlBytes) throw new ApiError("general_argument_invalid", "The request's URL is too long.");
  const found: Record<string, string | string[]> = Object.create(null);
  for (const [key, value] of new URL(url, "http://localhost").searchParams) {
    const [, list] = /^(\w{1,40})\[\d*\]$/.exec(key) ?? [];
    if (!list) found[key] = value;
    else if (Array.isArray(found[list])) found[list].push(value);
    else found[list] = [value];
  }
  return found;
}

const maxBodyDepth = 20;

/** The fields of a JSON body; none if there is no body. @throws ApiError; BodyTooLarge. */
export async function readJson(request: Request, maxBytes?: number): Promise<object> {
  const text = maxBytes === undefined ? await request.text() : (await readBytes(request.body, maxBytes)).toString();
  if (text === "") return {};
  const value = parseBoundedJson(text, maxBodyDepth);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new ApiError("general_argument_invalid", `The request's body must be a JSON object with at most ${maxValues} values.`);
}
