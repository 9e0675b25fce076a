import { z } from "zod";
import type { CollectionName } from "#domain/changes.ts";
import type { Action } from "#domain/permissions.ts";
import type { Member } from "#domain/site.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";

/** An increment, or a decrement if `value` is negative, with the limits for the result. */
export type Increment = { attribute: string; value: number; max?: number | undefined; min?: number | undefined };

/** The writing operations of a collection, which call verbs of the domain. */
export type Writer<Create extends z.ZodObject = z.ZodObject, Update extends z.ZodObject = z.ZodObject> = {
  collection: CollectionName;
  attributes: z.ZodRawShape;
  create?: {
    data: Create;
    /** @param id - the client's choice, if it made one. @returns the document's id. */
    run(call: Call, id: string | undefined, data: z.output<Create>): Promise<string>;
  };
  update?: { data: Update; run(call: Call, id: string, data: z.output<Update>): Promise<void> };
  remove?(call: Call, id: string): Promise<void>;
  /** Permission to remove documents that the caller can't read. */
  removeAnyPermission?: Action;
  increment?(call: Call, id: string, step: Increment): Promise<void>;
};

export function writer<Create extends z.ZodObject, Update extends z.ZodObject>(definition: Writer<Create, Update>): Writer {
  return definition as unknown as Writer;
}

export const text = z.string();
export const textOrNull = z.string().nullable();

/** @throws ApiError for visitors, and for members who name another user. */
export function requireSelf({ viewer }: Call, userId: string | null | undefined): Member {
  if (!viewer || (userId && userId !== viewer.id)) throw new ApiError("user_unauthorized");
  return viewer;
}
