import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast, type Toast } from "#app/shell/flash.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { sendConfirmationAgain } from "#domain/accounts/confirmation.server.ts";
import type { Route } from "./+types/resend-confirmation-action.ts";

const answers: Record<Awaited<ReturnType<typeof sendConfirmationAgain>>, Toast> = {
  sent: { tone: "success", text: "A new link is on its way." },
  "confirmed already": { tone: "success", text: "Your email address is confirmed." },
};

export async function action({ request, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  const back = refererPath(request, site.url);
  try {
    return redirectWithToast(back, answers[await sendConfirmationAgain(site, context.get(viewerContext))]);
  } catch (error) {
    const { code, message } = refusalOf(error);
    if (code === "sign-in-required") throw error;
    return redirectWithToast(back, { tone: "error", text: message });
  }
}

export const loader = () => redirect("/");
