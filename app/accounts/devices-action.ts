import { redirect } from "react-router";
import { clientContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { signOutDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { requireSameMember } from "#domain/permissions.ts";
import type { Route } from "./+types/devices-action.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  requireSameMember(context.get(viewerContext), form.get("userId"));
  const all = form.get("all") === "yes";
  const which = all ? "all others" : { id: String(form.get("id") ?? "") };
  await signOutDevices(context.get(siteContext), context.get(viewerContext), context.get(clientContext), which);
  const text = all ? "You’re signed out on all other devices." : "Device signed out";
  return redirectWithToast("/account", { tone: "success", text });
}

export const loader = () => redirect("/account");
