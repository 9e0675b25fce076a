import { useLocation } from "react-router";
import { AuthPage, TextLink } from "#app/accounts/auth-page.tsx";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { ValidatedField, ValidatedForm } from "#app/accounts/validated-form.tsx";
import { respondToAccountForm } from "#app/accounts/validated-form-action.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Mail, User } from "#app/ui/icons.tsx";
import { accountTexts, signUpChecks } from "#domain/accounts/account.ts";
import { SignUpInput } from "#domain/accounts/account-input.ts";
import { signUp } from "#domain/accounts/accounts.server.ts";
import type { Route } from "./+types/signup-page.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { redirectMembers, redirectSignedIn } from "./redirects.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Create an Account", path: "/signup" });

export const loader = redirectMembers;

export function action({ request, url, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  return respondToAccountForm(request, SignUpInput, async (input) => {
    const { cookies } = await signUp(site, context.get(clientContext), input);
    return redirectSignedIn(url, cookies, `Welcome to ${site.settings.siteName}!`);
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  withFailureToast(serverAction, "Signup failed. Please try again.");

export default function SignupPage({ actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const open = useRoot().site.registrationOpen;
  const signIn = (
    <>
      Already have an account? <TextLink to={{ pathname: "/login", search }}>Sign In</TextLink>
    </>
  );
  return (
    <AuthPage title={open ? "Create an Account" : accountTexts.registrationClosed} intro={signIn}>
      {open && <SignupForm result={actionData} />}
    </AuthPage>
  );
}

function SignupForm({ result }: { result: Route.ComponentProps["actionData"] }) {
  const form = useCheckedForm("signup", signUpChecks, result);
  return (
    <ValidatedForm form={form} submit="Create Account" busy="Creating account...">
      <ValidatedField {...form.field("name")} label="Full Name" type="text" icon={User} autoComplete="name" />
      <ValidatedField {...form.field("email")} label="Email" type="email" icon={Mail} autoComplete="email" />
      <NewPasswordField {...form.field("password")} />
    </ValidatedForm>
  );
}
