import { redirect } from "react-router";
import { readQuote } from "#app/accounts/sign-in/quote.server.ts";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath, refusalOf } from "#app/shell/refusals.ts";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmEmailChange, readEmailChange } from "#domain/accounts/email-change.server.ts";
import type { Route } from "./+types/email-change-page.ts";
import { AccountButton, AccountLayout, AccountLink } from "./account-layout.tsx";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm your new email" });

/**
 * Asks before it changes anything: programs that check mail for harmful links open them too. Anyone who is not signed in does that
 * first, and comes back.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const change = await readEmailChange(site, url.searchParams.get("token") ?? "");
  if (change && !viewer) throw redirect(loginPath(url.pathname + url.search));
  const shown = change && { to: change.to, done: change.done, own: change.userId === viewer?.id };
  return { quote: await readQuote(site), change: shown };
}

export async function action({ url, context }: Route.ActionArgs) {
  const [site, viewer, origin] = [context.get(siteContext), context.get(viewerContext), context.get(originContext)];
  if (!viewer) throw redirect(loginPath(url.pathname + url.search));
  try {
    await confirmEmailChange(site, viewer, origin, url.searchParams.get("token") ?? "");
    return redirectWithToast("/account", { tone: "success", text: "Your email address has been changed." });
  } catch (error) {
    return redirectWithToast("/account", { tone: "error", text: refusalOf(error).message });
  }
}

export default function EmailChangePage({ loaderData: { quote, change } }: Route.ComponentProps) {
  if (!change?.own || change.done)
    return (
      <AccountLayout title="Confirm your new email" intro={refusalText(change)} quote={quote}>
        <AccountLink to="/account">Go to your account</AccountLink>
      </AccountLayout>
    );
  return (
    <AccountLayout
      title="Confirm your new email"
      intro={
        <>
          You’ll now sign in with <strong className="break-all font-medium text-ink">{change.to}</strong>.
        </>
      }
      quote={quote}
    >
      <AccountButton busy="Confirming...">Use this address</AccountButton>
    </AccountLayout>
  );
}

function refusalText(change: { to: string; own: boolean } | null): string {
  if (!change) return accountTexts.linkUsedUp;
  return change.own ? `You already use ${change.to}.` : accountTexts.linkOfAnother;
}
