import type { Upload } from "#domain/files/files.server.ts";
import { BodyTooLarge, type FormLimits, readLimitedForm } from "#platform/files/limited-form.ts";
import { Invalid, TooLarge } from "../refusals.ts";
import { formLimits } from "./form-limits.ts";

/**
 * Reads a posted form, and is the only one who does: nothing else bounds how much a sender may send. Take fields from it by their names,
 * never all that there are. @throws TooLarge beyond the limits; Invalid when it can't be read as a form.
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
    // Who hung up in the middle reads no answer, and nothing is wrong here.
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

/** The file of a form's field, or undefined when none was chosen; one without any bytes was chosen all the same. */
export async function uploadOf(form: FormData, field: string): Promise<Upload | undefined> {
  const file = form.get(field);
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return undefined;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
