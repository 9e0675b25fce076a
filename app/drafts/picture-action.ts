import { siteContext, viewerContext } from "#app/context.ts";
import { sendPicture } from "#domain/files/post-files.server.ts";
import { readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/picture-action.ts";
import type { PictureAnswer } from "./send-picture.ts";

export async function action({ request, context }: Route.ActionArgs) {
  try {
    const form = await readUploadForm(request);
    const kind = form.get("kind") === "featured" ? "featured" : "text";
    const upload = await uploadOf(form, "picture");
    const { id, name, address } = await sendPicture(context.get(siteContext), context.get(viewerContext), kind, upload);
    return Response.json({ id, name, address, error: null } satisfies PictureAnswer);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return Response.json({ id: null, name: "", error: error.message } satisfies PictureAnswer, { status: statusOf(error) });
  }
}
