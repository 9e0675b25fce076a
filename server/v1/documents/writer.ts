import type { z } from "zod";
import type { CollectionName } from "#domain/documents/document.ts";
import type { Action } from "#domain/permissions.ts";
import type { Call } from "../call.ts";

/** By how much a number is to change, and how far. */
export type Step = { attribute: string; value: number; max?: number | undefined; min?: number | undefined };

export type Writer<Create extends z.ZodObject = z.ZodObject, Update extends z.ZodObject = z.ZodObject> = {
  collection: CollectionName;
  attributes: z.ZodRawShape;
  create?: {
    data: Create;
    /** `id` is the client's choice, undefined where it left that to us. Returns the document's id. */
    run(call: Call, id: string | undefined, data: z.output<Create>): Promise<string>;
  };
  update?: { data: Update; run(call: Call, id: string, data: z.output<Update>): Promise<void> };
  remove?(call: Call, id: string): Promise<void>;
  removedUnreadBy?: Action;
  step?(call: Call, id: string, step: Step): Promise<void>;
};

export function writer<Create extends z.ZodObject, Update extends z.ZodObject>(of: Writer<Create, Update>): Writer {
  return of as unknown as Writer;
}
