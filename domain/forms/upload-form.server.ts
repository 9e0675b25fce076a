import type { Upload } from "#domain/files/files.server.ts";
import { formLimits } from "./form-limits.ts";
import { readForm } from "./read-form.server.ts";

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
