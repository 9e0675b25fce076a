import { redirect } from "react-router";
import { clientContext, requireMember, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath, refusalOf } from "#app/shell/refusals.ts";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmEmailChange, readEmailChange } from "#domain/accounts/email-change.server.ts";
import type { Route } from "./+types/email-change-page.ts";
import { AuthButton, AuthLink, AuthPage } from "./auth-page.tsx";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm your new email" });

/** Changes nothing: mail scanners open links too. A visitor with a valid link signs in first and returns. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const change = await readEmailChange(context.get(siteContext), url.searchParams.get("token") ?? "");
  return { change: change && { to: change.to, done: change.done, own: change.userId === requireMember(context).id } };
}

export async function action({ url, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(loginPath(url.pathname + url.search));
  try {
    await confirmEmailChange(context.get(siteContext), viewer, context.get(clientContext), url.searchParams.get("token") ?? "");
    return redirectWithToast("/account", { tone: "success", text: "Your email address has been changed." });
  } catch (error) {
    return redirectWithToast("/account", { tone: "error", text: refusalOf(error).message });
  }
}

export default function EmailChangePage({ loaderData: { change } }: Route.ComponentProps) {
  if (!change?.own || change.done)
    return (
      <AuthPage title="Confirm your new email" intro={refusalText(change)}>
        <AuthLink to="/account">Go to your account</AuthLink>
      </AuthPage>
    );
  return (
    <AuthPage
      title="Confirm your new email"
      intro={
        <>
          You’ll now sign in with <strong className="break-all font-medium text-ink">{change.to}</strong>.
        </>
      }
    >
      <AuthButton busyLabel="Confirming...">Use this address</AuthButton>
    </AuthPage>
  );
}

function refusalText(change: { to: string; own: boolean } | null): string {
  if (!change) return accountTexts.linkUsedUp;
  return change.own ? `You already use ${change.to}.` : accountTexts.linkOfAnother;
}
