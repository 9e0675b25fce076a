import { redirect } from "react-router";
import { AuthLink, AuthPage } from "#app/accounts/auth-page.tsx";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { ValidatedForm } from "#app/accounts/validated-form.tsx";
import { respondToAccountForm } from "#app/accounts/validated-form-action.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { accountTexts, newPasswordChecks } from "#domain/accounts/account.ts";
import { NewPasswordInput } from "#domain/accounts/account-input.ts";
import { isRecoveryTokenValid, resetPassword } from "#domain/accounts/recovery.server.ts";
import type { Route } from "./+types/reset-password-page.ts";
import { NewPasswordField } from "./new-password-field.tsx";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Choose a new password" });

export async function loader({ url, context }: Route.LoaderArgs) {
  return { usable: await isRecoveryTokenValid(context.get(siteContext), url.searchParams.get("token") ?? "") };
}

export function action({ request, url, context }: Route.ActionArgs) {
  return respondToAccountForm(request, NewPasswordInput, async ({ password }) => {
    const token = url.searchParams.get("token") ?? "";
    const { review } = await resetPassword(context.get(siteContext), context.get(clientContext), token, password);
    if (review) return redirect(`/reset-password/review?token=${encodeURIComponent(review)}`);
    return redirectWithToast("/login", { tone: "success", text: "Your password has been changed. Please sign in." });
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction);

export default function ResetPasswordPage({ loaderData: { usable }, actionData }: Route.ComponentProps) {
  return (
    <AuthPage title="Choose a new password" intro={usable ? undefined : accountTexts.linkUsedUp}>
      {usable ? <NewPasswordForm result={actionData} /> : <AuthLink to="/forgot-password">Request a new link</AuthLink>}
    </AuthPage>
  );
}

function NewPasswordForm({ result }: { result: Route.ComponentProps["actionData"] }) {
  const form = useCheckedForm("new-password", newPasswordChecks, result);
  return (
    <ValidatedForm form={form} submit="Change password" busy="Changing password...">
      <NewPasswordField {...form.field("password")} label="New password" />
    </ValidatedForm>
  );
}
