import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import type { Upload } from "#domain/files/files.server.ts";
import { BodyTooLarge, type FormLimits, readLimitedForm } from "#platform/files/limited-form.ts";
import { Invalid, TooLarge } from "../refusals.ts";
import { formLimits } from "./form-limits.ts";

/**
 * Every posted form is read here, as nothing else bounds its size. Take fields from it by name, never all of them.
 * @throws TooLarge beyond the limits; Invalid when it can't be read as a form.
 */
export async function readForm(
  request: Request,
  limits: FormLimits = formLimits.ordinary,
  tooLarge = "This is too large. Please shorten it and try again.",
): Promise<FormData> {
  try {
    return await readLimitedForm(request, limits);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new TooLarge(tooLarge);
    // The sender closed the connection: not an error of the site.
    const hungUp = (error as NodeJS.ErrnoException).code === "ECONNRESET";
    if (error instanceof TypeError || hungUp) throw new Invalid("We couldn’t read what you sent. Go back and try again.");
    throw error;
  }
}

type UploadLimit = { maxBytes: number; tooLarge: string };
const forPictures = {
  maxBytes: formLimits.pictures.maxBytes,
  tooLarge: "Your upload is larger than 32 MB. Go back and choose a smaller picture.",
};

/** @throws TooLarge beyond 32 MB or the limit given; Invalid when it can't be read as a form. */
export function readUploadForm(request: Request, { maxBytes, tooLarge }: UploadLimit = forPictures): Promise<FormData> {
  return readForm(request, { ...formLimits.pictures, maxBytes }, tooLarge);
}

/** The file in a field; undefined if none was chosen. An empty file counts as chosen. */
export async function uploadOf(form: FormData, field: string): Promise<Upload | undefined> {
  const file = form.get(field);
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return undefined;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/**
 * Checks a form against a schema. Conform builds objects and lists from any field names ("a[100000000]", "a.b.c"), obeys control fields
 * and echoes all of it, so it gets the schema's own fields only.
 */
export function parseForm<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  return parseWithZod(pickFields(form, Object.keys(schema.shape)), { schema, async: true });
}

function pickFields(form: FormData, names: string[]): FormData {
  const picked = new FormData();
  for (const name of names) {
    const value = form.get(name);
    if (typeof value === "string") picked.set(name, value);
  }
  return picked;
}
