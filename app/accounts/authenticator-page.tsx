import { data } from "react-router";
import { clientContext, requireMember, siteContext, viewerContext } from "#app/context.ts";
import { useLastResult } from "#app/forms/use-last-result.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { readOwnAccount } from "#domain/accounts/own-account.server.ts";
import { qrCode } from "#domain/accounts/sign-in/qr-code.server.ts";
import {
  confirmAuthenticator,
  type NewAuthenticator,
  renewBackupCodes,
  startAuthenticator,
  stopAuthenticator,
} from "#domain/accounts/sign-in/second-step.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/authenticator-page.ts";
import { BackupCodes, ConfirmStep, PasswordStep } from "./authenticator-steps.tsx";
import { ConfirmEmailPrompt } from "./confirm-email-prompt.tsx";
import { withCookies } from "./cookies.ts";
import { SettingsLayout } from "./settings-layout.tsx";
import { FormAlert } from "./settings-section.tsx";

type Step = "confirm" | "codes" | "start" | "renew" | "stop";
type StepData = { step: Step; authenticator?: NewAuthenticator | undefined; codes?: string[]; error?: string };

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { secondStep, confirmed } = await readOwnAccount(site, requireMember(context));
  return { on: secondStep, confirmed, delivers: site.mail.delivers };
}

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer, client] = [context.get(siteContext), context.get(viewerContext), context.get(clientContext)];
  const form = await readForm(request, formLimits.account);
  const text = (name: string) => String(form.get(name) ?? "");
  const step = text("step") as Step;
  try {
    switch (step) {
      case "start":
        return respondToStep({ step: "confirm", authenticator: await startAuthenticator(site, viewer, client, text("password")) });
      case "confirm":
        return redirectToAccount("Two-step verification is on.", await confirmAuthenticator(site, viewer, client, text("code")));
      case "renew":
        return respondToStep({ step: "codes", codes: await renewBackupCodes(site, viewer, client, text("password")) });
      case "stop":
        return redirectToAccount("Two-step verification is off.", await stopAuthenticator(site, viewer, client, text("password")));
      default:
        throw data(null, { status: 404 });
    }
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code === "sign-in-required") throw error;
    return respondToStep({ step, authenticator: readAuthenticator(form), error: refusal.message }, statusOf(refusal));
  }
}

/** Sent back with the form, so that the QR code stays on the screen after a wrong code. */
function readAuthenticator(form: FormData): NewAuthenticator | undefined {
  const uri = String(form.get("address") ?? "");
  return uri.startsWith("otpauth://") ? { uri, backupCodes: form.getAll("backup").map(String).slice(0, 20) } : undefined;
}

function respondToStep(result: StepData, status = 200) {
  const qr = result.authenticator ? qrCode(result.authenticator.uri) : null;
  return data({ ...result, qr }, { status, headers: { "cache-control": "no-store" } });
}

function redirectToAccount(text: string, cookies: string[]) {
  return redirectWithToast("/account", { tone: "success", text }, withCookies(cookies));
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Authenticator app" });

export default function AuthenticatorPage({ loaderData: { on, confirmed, delivers }, actionData }: Route.ComponentProps) {
  const error = (step: Step) => (actionData?.step === step ? actionData.error : undefined);
  const { authenticator, qr, codes } = useLastResult(actionData) ?? {};
  return (
    <SettingsLayout title="Authenticator app" back={{ to: "/account", label: "Account" }}>
      {actionData?.error && <FormAlert className="mb-7">{actionData.error}</FormAlert>}
      {on && codes && <BackupCodes codes={codes} />}
      {on && (
        <>
          <PasswordStep
            step="renew"
            title="New backup codes"
            text="Your old codes will stop working."
            submit="Create new codes"
            error={error("renew")}
          />
          <PasswordStep
            step="stop"
            title="Turn it off"
            text="You’ll sign in with just your password."
            submit="Turn off"
            variant="danger"
            error={error("stop")}
          />
        </>
      )}
      {!on && authenticator && qr && <ConfirmStep authenticator={authenticator} qr={qr} error={error("confirm")} />}
      {!on && !authenticator && confirmed && (
        <PasswordStep
          step="start"
          title="Set it up"
          text="You need an app that generates six-digit codes. Many password managers have one."
          submit="Get started"
          variant="primary"
          error={error("start")}
        />
      )}
      {!on && !confirmed && (
        <div className="border-t border-line py-9">
          <ConfirmEmailPrompt what="An authenticator app needs" delivers={delivers} />
        </div>
      )}
    </SettingsLayout>
  );
}
