import { redirect } from "react-router";
import { clientContext, siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { accountTexts } from "#domain/accounts/account.ts";
import { type NotMeEvent, readNotMe, reportNotMe } from "#domain/accounts/security/not-me.server.ts";
import { dateAndTime } from "#domain/dates.ts";
import type { Route } from "./+types/not-me-page.ts";
import { AuthButton, AuthLink, AuthPage } from "./auth-page.tsx";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "This wasn’t me" });

export async function loader({ url, context }: Route.LoaderArgs) {
  return { about: await readNotMe(context.get(siteContext), url.searchParams.get("token") ?? "") };
}

export async function action({ url, context }: Route.ActionArgs) {
  try {
    const next = await reportNotMe(context.get(siteContext), context.get(clientContext), url.searchParams.get("token") ?? "");
    if ("recovery" in next) return redirect(`/reset-password?token=${encodeURIComponent(next.recovery)}`);
    return redirect("/forgot-password?sent");
  } catch (error) {
    return redirectWithToast("/login", { tone: "error", text: refusalOf(error).message });
  }
}

export default function NotMePage({ loaderData: { about } }: Route.ComponentProps) {
  if (!about)
    return (
      <AuthPage title="This wasn’t me" intro={accountTexts.linkUsedUp}>
        <AuthLink to="/forgot-password">Choose a new password</AuthLink>
      </AuthPage>
    );
  return (
    <AuthPage title="This wasn’t me" intro={introOf(about)}>
      <ul className="mt-6 list-disc space-y-1.5 pl-5 text-base text-ink-2">
        {consequences(about).map((text) => (
          <li key={text} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      <AuthButton busyLabel="Securing your account...">Secure my account</AuthButton>
      <p className="mt-5 text-base text-ink-2">If it was you, you can close this page. Nothing changes.</p>
    </AuthPage>
  );
}

function introOf(about: NotMeEvent): string {
  switch (about.kind) {
    case "email-change":
      return about.made ? "The email address of your account was changed." : "Someone asked to change the email address of your account.";
    case "sign-in":
      return `Someone signed in to your account from ${about.device} on ${dateAndTime(about.at)}.`;
    case "passkey":
      return `The passkey “${about.name}” was added to your account.`;
    case "authenticator":
      return "An authenticator app was added to your account.";
  }
}

function consequences(about: NotMeEvent): string[] {
  const everywhere = "Everyone is signed out of your account on all devices, and your password and older links stop working.";
  switch (about.kind) {
    case "email-change": {
      const first = about.made ? `Your account goes back to ${about.from}.` : `Your account keeps ${about.from}.`;
      return [first, everywhere, "You’ll choose a new password."];
    }
    case "sign-in":
      return [everywhere, "We’ll email you a link to choose a new password."];
    case "passkey":
      return ["The passkey is removed.", everywhere, "We’ll email you a link to choose a new password."];
    case "authenticator":
      return [
        "The authenticator app is removed. You won’t need its codes to sign in.",
        everywhere,
        "We’ll email you a link to choose a new password.",
      ];
  }
}
