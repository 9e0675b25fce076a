import { Form, useNavigation } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmEmailChange, readEmailChange } from "#domain/accounts/email-change.server.ts";
import type { Route } from "./+types/email-change-page.ts";
import { AccountLayout } from "./account-layout.tsx";
import { readQuote } from "./quote.server.ts";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm Your New Address" });

/** Asks before it changes anything: programs that check mail for harmful links open them too. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const change = await readEmailChange(site, url.searchParams.get("token") ?? "");
  return { quote: await readQuote(site), change: change && { to: change.to, done: change.done } };
}

export async function action({ url, context }: Route.ActionArgs) {
  const there = context.get(viewerContext) ? "/account" : "/login";
  try {
    await confirmEmailChange(context.get(siteContext), url.searchParams.get("token") ?? "");
    return redirectWithToast(there, { tone: "success", text: "Your email address has been changed." });
  } catch (error) {
    return redirectWithToast(there, { tone: "error", text: refusalOf(error).message });
  }
}

export default function EmailChangePage({ loaderData: { quote, change } }: Route.ComponentProps) {
  const sending = useNavigation().formMethod === "POST";
  if (!change || change.done)
    return (
      <AccountLayout
        title="Confirm Your New Address"
        intro={change ? `${change.to} is your address already.` : accountTexts.linkUsedUp}
        quote={quote}
      >
        <ButtonLink to="/account" variant="primary" size="lg" className="mt-8 w-full">
          To Your Account
        </ButtonLink>
      </AccountLayout>
    );
  return (
    <AccountLayout
      title="Confirm Your New Address"
      intro={
        <>
          From now on you sign in with <strong className="break-all font-medium text-ink">{change.to}</strong>.
        </>
      }
      quote={quote}
    >
      <Form method="post" className="mt-8">
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel="Confirming..." className="w-full">
          Use This Address
        </Button>
      </Form>
    </AccountLayout>
  );
}
