import { useLocation } from "react-router";
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
import { Mail, User } from "#app/ui/icons.tsx";
import { accountTexts, signUpChecks } from "#domain/accounts/account.ts";
import { SignUpInput } from "#domain/accounts/account-input.ts";
import { signUp } from "#domain/accounts/accounts.server.ts";
import type { Route } from "./+types/signup-page.ts";
import { PasswordField } from "./password-field.tsx";
import { loadForVisitor } from "./quote.server.ts";
import { safePath } from "./safe-path.ts";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Create an Account", path: "/signup" });

export const loader = ({ context }: Route.LoaderArgs) => loadForVisitor(context);

export function action({ request, url, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  return answerAccountForm(request, SignUpInput, async (input) => {
    const { cookies } = await signUp(site, context.get(originContext), input);
    const welcome = { tone: "success", text: `Welcome to ${site.settings.siteName}!` } as const;
    return redirectWithToast(safePath(url.searchParams.get("then")), welcome, withCookies(cookies));
  });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return withFailureToast(serverAction, "Signup failed. Please try again.");
}

export default function SignupPage({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const open = useRoot().site.registrationOpen;
  const signIn = (
    <>
      Already have an account? <TextLink to={{ pathname: "/login", search }}>Sign In</TextLink>
    </>
  );
  return (
    <AccountLayout title={open ? "Create an Account" : accountTexts.registrationClosed} intro={signIn} quote={loaderData.quote}>
      {open && <SignupForm answer={actionData} />}
    </AccountLayout>
  );
}

function SignupForm({ answer }: { answer: Route.ComponentProps["actionData"] }) {
  const [form, { name, email, password }] = useAccountForm("signup", signUpChecks, answer);
  return (
    <AccountForm form={form} submit="Create Account" busy="Creating account...">
      <AccountField form={form} field={name} label="Full Name" type="text" icon={User} autoComplete="name" />
      <AccountField form={form} field={email} label="Email" type="email" icon={Mail} autoComplete="email" />
      <PasswordField form={form} field={password} autoComplete="new-password" />
    </AccountForm>
  );
}
