import { Form } from "react-router";
import { AccountButton, AccountLayout, AccountLink } from "#app/accounts/account-layout.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmAddress, readConfirmation } from "#domain/accounts/confirmation.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/verify-email-page.ts";
import { readQuote } from "./quote.server.ts";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm your email" });

/**
 * Anyone who opens the link in the browser they signed up with is done. Anybody else is asked first: programs that check
 * mail for harmful links open them too, and must not confirm an account that a stranger opened with that address.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = context.get(viewerContext);
  const token = url.searchParams.get("token") ?? "";
  const confirmation = await readConfirmation(site, token);
  if (confirmation && (confirmation.confirmed || viewer?.id === confirmation.userId)) return confirm(site, viewer, token);
  return { quote: await readQuote(site), confirmation };
}

export function action({ url, context }: Route.ActionArgs) {
  return confirm(context.get(siteContext), context.get(viewerContext), url.searchParams.get("token") ?? "");
}

async function confirm(site: Site, viewer: Viewer, token: string): Promise<Response> {
  try {
    await confirmAddress(site, token);
    return redirectWithToast(viewer ? "/" : "/login", { tone: "success", text: "Your email address is confirmed." });
  } catch (error) {
    return redirectWithToast("/", { tone: "error", text: refusalOf(error).message });
  }
}

export default function VerifyEmailPage({ loaderData }: Route.ComponentProps) {
  const { quote, confirmation } = loaderData;
  const { site } = useRoot();
  if (!confirmation) return <LinkUsedUp quote={quote} />;
  const { name, email } = confirmation;
  return (
    <AccountLayout
      title="Confirm your email"
      intro={
        <>
          Someone named {name} signed up at {site.name} with <strong className="font-medium text-ink">{email}</strong>. Was it you?
        </>
      }
      quote={quote}
    >
      <AccountButton busy="Confirming...">Confirm email</AccountButton>
      <p className="mt-5 text-base text-ink-2">If it wasn’t you, you can close this page. The address stays unconfirmed.</p>
    </AccountLayout>
  );
}

function LinkUsedUp({ quote }: Pick<Route.ComponentProps["loaderData"], "quote">) {
  const { viewer } = useRoot();
  return (
    <AccountLayout title="Confirm your email" intro={accountTexts.linkUsedUp} quote={quote}>
      {viewer && !viewer.confirmed ? (
        <Form method="post" action="/verify-email/again" className="mt-8">
          <Button type="submit" variant="primary" size="lg" className="w-full">
            Send a new link
          </Button>
        </Form>
      ) : (
        <AccountLink to={viewer ? "/" : "/login"}>{viewer ? "Go Home" : "Sign In"}</AccountLink>
      )}
    </AccountLayout>
  );
}
