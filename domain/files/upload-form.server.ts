import { BodyTooLarge, readLimitedForm } from "#platform/files/limited-form.ts";
import { Invalid, TooLarge } from "../refusals.ts";
import type { Upload } from "./files.server.ts";

/** Well above the picture's own limit, so that a picture somewhat too large is refused with the text beside it kept. */
const maxBytes = 32 * 1024 * 1024;

type FormLimit = { maxBytes: number; tooLarge: string };
const forPictures = { maxBytes, tooLarge: "What you sent is larger than 32 MB. Go back and choose a smaller picture." };

/**
 * Reads a form that brings files along.
 * @throws TooLarge beyond the limit, 32 MB unless another is given; Invalid when it can't be read as a form.
 */
export async function readUploadForm(request: Request, { maxBytes, tooLarge }: FormLimit = forPictures): Promise<FormData> {
  try {
    return await readLimitedForm(request, maxBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new TooLarge(tooLarge);
    if (error instanceof TypeError) throw new Invalid("What you sent could not be read. Go back and try again.");
    throw error;
  }
}

/** The file of a form's field, or undefined when none was chosen; one without any bytes was chosen all the same. */
export async function uploadOf(form: FormData, field: string): Promise<Upload | undefined> {
  const file = form.get(field);
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return undefined;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
