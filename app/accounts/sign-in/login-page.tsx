import { redirect, useLocation } from "react-router";
import { AuthPage, TextLink } from "#app/accounts/auth-page.tsx";
import { withCookies } from "#app/accounts/cookies.ts";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { ValidatedField, ValidatedForm } from "#app/accounts/validated-form.tsx";
import { respondToAccountForm } from "#app/accounts/validated-form-action.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Mail } from "#app/ui/icons.tsx";
import { signInChecks } from "#domain/accounts/account.ts";
import { SignInInput } from "#domain/accounts/account-input.ts";
import { type SecondStep, signIn } from "#domain/accounts/accounts.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import type { Route } from "./+types/login-page.ts";
import { PasskeyLoginButton } from "./passkey-login-button.tsx";
import { CurrentPasswordField } from "./password-input.tsx";
import { redirectMembers, redirectSignedIn } from "./redirects.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Sign In", path: "/login" });

export const loader = redirectMembers;

export function action({ request, url, context }: Route.ActionArgs) {
  return respondToAccountForm(request, SignInInput, async (input) => {
    try {
      const { cookies } = await signIn(context.get(siteContext), context.get(clientContext), input);
      return redirectSignedIn(url, cookies);
    } catch (error) {
      const step = detailsOf<SecondStep>(error, "second-step");
      if (!step) throw error;
      return redirect(`/login/code${url.search}`, { headers: withCookies(step.cookies) });
    }
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction, "Login failed.");

export default function LoginPage({ actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { registrationOpen } = useRoot().site;
  const form = useCheckedForm("login", signInChecks, actionData);
  const signUp = registrationOpen ? (
    <>
      Don’t have an account? <TextLink to={{ pathname: "/signup", search }}>Sign Up</TextLink>
    </>
  ) : (
    "Registration is closed. If you have an account, sign in."
  );
  return (
    <AuthPage title="Sign In" intro={signUp}>
      <ValidatedForm form={form} submit="Sign In" busy="Signing in...">
        <ValidatedField {...form.field("email")} label="Email" type="email" icon={Mail} autoComplete="username" />
        <CurrentPasswordField {...form.field("password")} label="Password" />
      </ValidatedForm>
      <PasskeyLoginButton />
      <p className="mt-5 text-center text-base">
        <TextLink to="/forgot-password">Forgot password?</TextLink>
      </p>
    </AuthPage>
  );
}
