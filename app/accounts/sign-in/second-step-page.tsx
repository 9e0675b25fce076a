import { AuthPage, TextLink } from "#app/accounts/auth-page.tsx";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { ValidatedField, ValidatedForm } from "#app/accounts/validated-form.tsx";
import { respondToAccountForm } from "#app/accounts/validated-form-action.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ShieldCheck } from "#app/ui/icons.tsx";
import { codeChecks } from "#domain/accounts/account.ts";
import { CodeInput } from "#domain/accounts/account-input.ts";
import { finishSignIn } from "#domain/accounts/sign-in/second-step.server.ts";
import type { Route } from "./+types/second-step-page.ts";
import { redirectMembers, redirectSignedIn } from "./redirects.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Enter your code" });

export const loader = redirectMembers;

export function action({ request, url, context }: Route.ActionArgs) {
  return respondToAccountForm(request, CodeInput, async ({ code, trust }) => {
    const cookies = await finishSignIn(context.get(siteContext), context.get(clientContext), { code, trust: trust === "yes" });
    return redirectSignedIn(url, cookies);
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction, "Login failed.");

export default function SecondStepPage({ actionData }: Route.ComponentProps) {
  const form = useCheckedForm("second-step", codeChecks, actionData);
  return (
    <AuthPage title="Enter your code" intro="Enter the six-digit code from your authenticator app, or one of your backup codes.">
      <ValidatedForm form={form} submit="Sign In" busy="Signing in...">
        <ValidatedField {...form.field("code")} label="Code" type="text" icon={ShieldCheck} autoComplete="one-time-code" />
        <label className="flex items-center gap-2.5 text-base">
          <input type="checkbox" name="trust" value="yes" className="size-[18px] accent-(--accent)" />
          Trust this browser for 30 days
        </label>
      </ValidatedForm>
      <p className="mt-5 text-center text-base">
        <TextLink to="/login">Back to sign in</TextLink>
      </p>
    </AuthPage>
  );
}
