import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { messageTexts } from "#domain/messages/message.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Route } from "./+types/attach-action.ts";

export function action({ params, request, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  return respondWithJson(async () => {
    requirePermission(viewer, "send a message");
    const form = await readUploadForm(request, { ...formLimits.attachment, tooLarge: messageTexts.fileTooLarge });
    requireSameAccount(viewer, form.get("from")?.toString());
    const upload = await uploadOf(form, "file");
    if (!upload) throw new Invalid(messageTexts.emptyFile);
    return sendAttachment(site, viewer, { to: params.userId, sendId: String(form.get("sendId") ?? ""), upload });
  });
}
