import { redirect } from "react-router";
import { AuthPage, TextLink } from "#app/accounts/auth-page.tsx";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { ValidatedField, ValidatedForm } from "#app/accounts/validated-form.tsx";
import { respondToAccountForm } from "#app/accounts/validated-form-action.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Mail } from "#app/ui/icons.tsx";
import { recoveryChecks } from "#domain/accounts/account.ts";
import { RecoveryInput } from "#domain/accounts/account-input.ts";
import { requestRecovery } from "#domain/accounts/recovery.server.ts";
import type { Route } from "./+types/forgot-password-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Forgot your password?" });

export function loader({ url, context }: Route.LoaderArgs) {
  return { sent: url.searchParams.has("sent"), delivers: context.get(siteContext).mail.delivers };
}

export function action({ request, context }: Route.ActionArgs) {
  return respondToAccountForm(request, RecoveryInput, async ({ email }) => {
    await requestRecovery(context.get(siteContext), context.get(clientContext), email);
    return redirect("/forgot-password?sent");
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction);

export default function ForgotPasswordPage({ loaderData: { sent, delivers }, actionData }: Route.ComponentProps) {
  if (!sent) return <RecoveryForm result={actionData} />;
  return (
    <AuthPage title="Check your email" intro="If there’s an account for that address, we’ve emailed a link.">
      <p className="mt-6 text-base text-ink-2">
        {delivers
          ? "The link works once and expires in an hour. Nothing there? Check your spam folder."
          : "This site can’t send email yet: its operator can find the message in the data folder and pass it on."}
      </p>
      <p className="mt-6 text-base">
        <TextLink to="/login">Back to sign in</TextLink>
      </p>
    </AuthPage>
  );
}

function RecoveryForm({ result }: { result: Route.ComponentProps["actionData"] }) {
  const form = useCheckedForm("recovery", recoveryChecks, result);
  return (
    <AuthPage title="Forgot your password?" intro="Enter your email and we’ll send you a link to reset your password.">
      <ValidatedForm form={form} submit="Send link" busy="Sending...">
        <ValidatedField {...form.field("email")} label="Email" type="email" icon={Mail} autoComplete="username" />
      </ValidatedForm>
      <p className="mt-5 text-center text-base">
        <TextLink to="/login">Back to sign in</TextLink>
      </p>
    </AuthPage>
  );
}
