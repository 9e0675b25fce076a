import { Form, redirect, useNavigation } from "react-router";
import { readQuote } from "#app/accounts/sign-in/quote.server.ts";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath, refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmEmailChange, readEmailChange } from "#domain/accounts/email-change.server.ts";
import type { Route } from "./+types/email-change-page.ts";
import { AccountLayout } from "./account-layout.tsx";

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
  const sending = useNavigation().formMethod === "POST";
  if (!change?.own || change.done)
    return (
      <AccountLayout title="Confirm your new email" intro={refusalText(change)} quote={quote}>
        <ButtonLink to="/account" variant="primary" size="lg" className="mt-8 w-full">
          Go to your account
        </ButtonLink>
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
      <Form method="post" className="mt-8">
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel="Confirming..." className="w-full">
          Use this address
        </Button>
      </Form>
    </AccountLayout>
  );
}

function refusalText(change: { to: string; own: boolean } | null): string {
  if (!change) return accountTexts.linkUsedUp;
  return change.own ? `You already use ${change.to}.` : accountTexts.linkOfAnother;
}
