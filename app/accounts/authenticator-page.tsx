import { data, redirect } from "react-router";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath, refusalOf } from "#app/shell/refusals.ts";
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
import { AccountArea } from "./account-area.tsx";
import { BackupCodes, ConfirmApp, PutAway, Renew, SetUp } from "./authenticator-steps.tsx";
import { ConfirmFirst } from "./confirm-first.tsx";
import { withCookies } from "./cookies.ts";
import { FormAlert } from "./settings-section.tsx";

type StepData = { step: "confirm" | "codes" | "start" | "renew" | "stop"; made?: NewAuthenticator; codes?: string[]; error?: string };

export async function loader({ url, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(loginPath(url.pathname));
  const site = context.get(siteContext);
  const { secondStep, confirmed } = await readOwnAccount(site, viewer);
  return { on: secondStep, confirmed, delivers: site.mail.delivers };
}

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer, origin] = [context.get(siteContext), context.get(viewerContext), context.get(originContext)];
  const form = await readForm(request, formLimits.account);
  const text = (name: string) => String(form.get(name) ?? "");
  const step = text("step") as StepData["step"];
  const made = madeBefore(form);
  try {
    switch (step) {
      case "start":
        return showStep({ step: "confirm", made: await startAuthenticator(site, viewer, origin, text("password")) });
      case "confirm": {
        const cookies = await confirmAuthenticator(site, viewer, origin, text("code"));
        return redirectWithSuccess("Two-step verification is on.", cookies);
      }
      case "renew":
        return showStep({ step: "codes", codes: await renewBackupCodes(site, viewer, origin, text("password")) });
      case "stop":
        return redirectWithSuccess("Two-step verification is off.", await stopAuthenticator(site, viewer, origin, text("password")));
      default:
        throw data(null, { status: 404 });
    }
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code === "sign-in-first") throw error;
    return showStep({ step, ...(made ? { made } : {}), error: refusal.message }, statusOf(refusal));
  }
}

/** What the form brought back, so that a wrong code does not take the picture away. */
function madeBefore(form: FormData): NewAuthenticator | undefined {
  const address = String(form.get("address") ?? "");
  return address.startsWith("otpauth://") ? { address, backupCodes: form.getAll("backup").map(String).slice(0, 20) } : undefined;
}

function showStep(what: StepData, status = 200) {
  const qr = what.made ? qrCode(what.made.address) : null;
  return data({ ...what, qr }, { status, headers: { "cache-control": "no-store" } });
}

function redirectWithSuccess(text: string, cookies: string[]) {
  return redirectWithToast("/account", { tone: "success", text }, withCookies(cookies));
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Authenticator app" });

export default function AuthenticatorPage({ loaderData: { on, confirmed, delivers }, actionData }: Route.ComponentProps) {
  const error = (step: StepData["step"]) => (actionData?.step === step ? actionData.error : undefined);
  const { made, qr, codes } = actionData ?? {};
  return (
    <AccountArea title="Authenticator App" back={{ to: "/account", label: "Account" }}>
      {actionData?.error && (
        <div className="mb-7">
          <FormAlert>{actionData.error}</FormAlert>
        </div>
      )}
      {on && codes && <BackupCodes codes={codes} />}
      {on && (
        <>
          <Renew error={error("renew")} />
          <PutAway error={error("stop")} />
        </>
      )}
      {!on && made && qr && <ConfirmApp made={made} qr={qr} error={error("confirm")} />}
      {!on && !made && confirmed && <SetUp error={error("start")} />}
      {!on && !confirmed && (
        <div className="border-t border-line py-9">
          <ConfirmFirst what="An authenticator app needs" delivers={delivers} />
        </div>
      )}
    </AccountArea>
  );
}
