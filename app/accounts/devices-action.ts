import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { signOutDevices } from "#domain/accounts/devices.server.ts";
import type { Route } from "./+types/devices-action.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const all = form.get("all") === "yes";
  const which = all ? "all others" : { id: String(form.get("id") ?? "") };
  await signOutDevices(context.get(siteContext), context.get(viewerContext), which);
  const text = all ? "All other devices are signed out." : "The device is signed out.";
  return redirectWithToast("/account", { tone: "success", text });
}

export function loader() {
  return redirect("/account");
}
