import { siteContext, viewerContext } from "#app/context.ts";
import { storeDraftPicture } from "#domain/files/post-files.server.ts";
import { readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { requirePermission, requireSameMember } from "#domain/permissions.ts";
import { detailsOf, isRefusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/upload-picture.ts";

/** `url`: in a text. `isInvalid`: sending the picture again can't help. */
type PictureResponse =
  | { id: string; name: string; url: string; error: null }
  | { id: null; name: string; error: string; isInvalid: boolean };

const lost = "We couldn’t upload the picture. Please try again.";
const uploadTimeoutMs = 120_000;

type UploadOptions = { progress: (part: number) => void; signal?: AbortSignal };

/** Called in the browser. `progress` is from 0 to 1. Never rejects. */
export function uploadPicture(kind: "featured" | "text", file: File, { progress, signal }: UploadOptions): Promise<PictureResponse> {
  const body = new FormData();
  // The editor's form names the member who opened the page; another may have signed in since.
  body.set("userId", document.querySelector<HTMLInputElement>("[name=userId]")?.value ?? "");
  body.set("kind", kind);
  body.set("picture", file);
  const failed: PictureResponse = { id: null, name: file.name, error: lost, isInvalid: false };
  return new Promise((resolve) => {
    // fetch has no upload progress.
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      try {
        const response = JSON.parse(request.responseText) as PictureResponse;
        resolve(response.id || response.error ? response : failed);
      } catch {
        resolve(failed);
      }
    };
    request.onerror = () => resolve(failed);
    request.ontimeout = () => resolve(failed);
    request.onabort = () => resolve(failed);
    signal?.addEventListener("abort", () => request.abort());
    request.timeout = uploadTimeoutMs;
    request.open("POST", "/drafts/picture");
    request.send(body);
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  try {
    requirePermission(viewer, "save unfinished work");
    const form = await readUploadForm(request);
    requireSameMember(viewer, form.get("userId"));
    const kind = form.get("kind") === "featured" ? "featured" : "text";
    const upload = await uploadOf(form, "picture");
    const { id, name, url } = await storeDraftPicture(context.get(siteContext), viewer, kind, upload);
    return Response.json({ id, name, url, error: null } satisfies PictureResponse);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isInvalid = detailsOf(error, "invalid-picture") !== undefined;
    return Response.json({ id: null, name: "", error: error.message, isInvalid } satisfies PictureResponse, { status: statusOf(error) });
  }
}
