import { redirect } from "react-router";
import { clientContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { pushTexts } from "#domain/push/push-device.ts";
import { addPushDevice, removePushDevice } from "#domain/push/push-devices.server.ts";
import type { Route } from "./+types/push-devices-action.ts";

const settings = "/notifications/settings";

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const field = (name: string) => String(form.get(name) ?? "");
  if (form.has("remove")) {
    await removePushDevice(site, viewer, wholeNumber(field("remove")) ?? 0);
    return redirectWithToast(settings, { tone: "success", text: pushTexts.off });
  }
  const { userAgent } = context.get(clientContext);
  const device = { endpoint: field("endpoint"), p256dh: field("p256dh"), auth: field("auth"), userAgent: userAgent ?? "" };
  try {
    await addPushDevice(site, viewer, device);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code !== "invalid" && refusal.code !== "conflict") throw refusal;
    return redirectWithToast(settings, { tone: "error", text: refusal.message });
  }
  return redirectWithToast(settings, { tone: "success", text: pushTexts.on });
}

export const loader = () => redirect(settings);
