import type { Upload } from "#domain/files/files.server.ts";
import { BodyTooLarge, readBytes } from "#platform/bounded-body.ts";
import { Invalid, TooLarge } from "../refusals.ts";
import { formLimits } from "./form-limits.ts";

type FormLimits = {
  /** The maximum length of the body. */
  maxBytes: number;
  maxFields: number;
};

const forms = new WeakMap<Request, FormData>();

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
    const form = await readBoundedForm(request, limits);
    forms.set(request, form);
    return form;
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new TooLarge(tooLarge);
    // The sender closed the connection: not an error of the site.
    const connectionClosed = (error as NodeJS.ErrnoException).code === "ECONNRESET";
    if (error instanceof TypeError || connectionClosed) throw new Invalid("We couldn’t read what you sent. Go back and try again.");
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

/** The form that `readForm` read from this request, or reads it now. Copying the request instead would keep its body twice. @throws as it. */
export async function readFormAgain(request: Request): Promise<FormData> {
  return forms.get(request) ?? (await readUploadForm(request));
}

/** The file in a field; undefined if none was chosen. An empty file counts as chosen. */
export async function uploadOf(form: FormData, field: string): Promise<Upload | undefined> {
  const file = form.get(field);
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return undefined;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

const maxNameBytes = 400;
const maxPartHeaderBytes = 4 * 1024;

/** Fields are counted before parsing, which bounds time and memory for any input. @throws BodyTooLarge; TypeError if it is no form. */
async function readBoundedForm(request: Request, limits: FormLimits): Promise<FormData> {
  if (Number(request.headers.get("content-length") ?? 0) > limits.maxBytes) throw new BodyTooLarge();
  const type = formType(request.headers.get("content-type") ?? "");
  const bytes = await readBytes(request.body, limits.maxBytes);
  if (type.boundary === undefined) checkEncoded(bytes, limits);
  else checkMultipart(bytes, type.boundary, limits);
  return new Response(bytes, { headers: { "content-type": type.header } }).formData();
}

type FormType = { header: string; boundary?: string };

/** The type is rewritten, so that counting and parsing use the same boundary. */
function formType(header: string): FormType {
  const [type = ""] = header.split(";", 1);
  const name = type.trim().toLowerCase();
  if (name === "application/x-www-form-urlencoded") return { header: name };
  const boundary = /;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i.exec(header.slice(0, 400));
  if (name !== "multipart/form-data" || !boundary) throw new TypeError("This is not a form");
  const [, quoted, plain] = boundary;
  return { header: `${name}; boundary="${quoted ?? plain}"`, boundary: quoted ?? plain ?? "" };
}

const [ampersand, equals] = [0x26, 0x3d];

function checkEncoded(bytes: Buffer, { maxFields }: FormLimits): void {
  let fields = 0;
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(ampersand, start);
    const field = bytes.subarray(start, next < 0 ? bytes.length : next);
    const nameEnd = field.indexOf(equals);
    if (++fields > maxFields || (nameEnd < 0 ? field.length : nameEnd) > maxNameBytes) throw new BodyTooLarge();
    start += field.length + 1;
  }
}

function checkMultipart(bytes: Buffer, boundary: string, { maxFields }: FormLimits): void {
  const delimiter = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; ) {
    const after = at + delimiter.length;
    if (bytes.subarray(after, after + 2).toString("latin1") === "--") return;
    if (++parts > maxFields) throw new BodyTooLarge();
    const head = bytes.subarray(after, after + maxPartHeaderBytes).indexOf("\r\n\r\n");
    if (head < 0 && bytes.length - after > maxPartHeaderBytes) throw new BodyTooLarge();
    at = bytes.indexOf(delimiter, after + Math.max(head, 0));
  }
}
