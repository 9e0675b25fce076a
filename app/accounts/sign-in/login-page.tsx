import { redirect, useLocation } from "react-router";
import { answerAccountForm } from "#app/accounts/account-action.ts";
import { AccountField, AccountForm, useAccountForm } from "#app/accounts/account-form.tsx";
import { AccountLayout, TextLink } from "#app/accounts/account-layout.tsx";
import { withCookies } from "#app/accounts/cookies.ts";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { originContext, siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Mail } from "#app/ui/icons.tsx";
import { signInChecks } from "#domain/accounts/account.ts";
import { SignInInput } from "#domain/accounts/account-input.ts";
import { type SecondStep, signIn } from "#domain/accounts/accounts.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import type { Route } from "./+types/login-page.ts";
import { PasskeyLoginButton } from "./passkey-login-button.tsx";
import { PasswordField } from "./password-field.tsx";
import { loadForVisitor } from "./quote.server.ts";
import { safePath } from "./safe-path.ts";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Sign In", path: "/login" });

export const loader = ({ context }: Route.LoaderArgs) => loadForVisitor(context);

export function action({ request, url, context }: Route.ActionArgs) {
  return answerAccountForm(request, SignInInput, async (input) => {
    const come = signIn(context.get(siteContext), context.get(originContext), input);
    const { cookies } = await come.catch((error) => toSecondStep(error, url.search));
    const success = { tone: "success", text: "Login successful!" } as const;
    return redirectWithToast(safePath(url.searchParams.get("then")), success, withCookies(cookies));
  });
}

function toSecondStep(error: unknown, search: string): never {
  const step = detailsOf<SecondStep>(error, "second-step");
  throw step ? redirect(`/login/code${search}`, { headers: withCookies(step.cookies) }) : error;
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return withFailureToast(serverAction, "Login failed.");
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { registrationOpen } = useRoot().site;
  const [form, { email, password }] = useAccountForm("login", signInChecks, actionData);
  const signUp = registrationOpen ? (
    <>
      Don’t have an account? <TextLink to={{ pathname: "/signup", search }}>Sign Up</TextLink>
    </>
  ) : (
    "Registration is closed. If you have an account, sign in."
  );
  return (
    <AccountLayout title="Sign In" intro={signUp} quote={loaderData.quote}>
      <AccountForm form={form} submit="Sign In" busy="Signing in...">
        <AccountField form={form} field={email} label="Email" type="email" icon={Mail} autoComplete="username" />
        <PasswordField form={form} field={password} autoComplete="current-password" />
      </AccountForm>
      <PasskeyLoginButton />
      <p className="mt-5 text-center text-base">
        <TextLink to="/forgot-password">Forgot password?</TextLink>
      </p>
    </AccountLayout>
  );
}
