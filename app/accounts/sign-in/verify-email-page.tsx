import { AuthButton, AuthLink, AuthPage } from "#app/accounts/auth-page.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { accountTexts } from "#domain/accounts/account.ts";
import { confirmEmail, readConfirmation } from "#domain/accounts/confirmation.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/verify-email-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm your email" });

/**
 * Confirms at once in the browser that signed up. Elsewhere the page asks first: mail scanners open links too, and must
 * not confirm an account that a stranger created with this address.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const token = url.searchParams.get("token") ?? "";
  const confirmation = await readConfirmation(site, token);
  if (confirmation && (confirmation.confirmed || viewer?.id === confirmation.userId)) return confirm(site, viewer, token);
  return { confirmation };
}

export function action({ url, context }: Route.ActionArgs) {
  return confirm(context.get(siteContext), context.get(viewerContext), url.searchParams.get("token") ?? "");
}

async function confirm(site: Site, viewer: Viewer, token: string): Promise<Response> {
  try {
    await confirmEmail(site, token);
    return redirectWithToast(viewer ? "/" : "/login", { tone: "success", text: "Your email address is confirmed." });
  } catch (error) {
    return redirectWithToast("/", { tone: "error", text: refusalOf(error).message });
  }
}

export default function VerifyEmailPage({ loaderData: { confirmation } }: Route.ComponentProps) {
  const { site } = useRoot();
  if (!confirmation) return <UsedLink />;
  const { name, email } = confirmation;
  return (
    <AuthPage
      title="Confirm your email"
      intro={
        <>
          Someone named {name} signed up at {site.name} with <strong className="font-medium text-ink">{email}</strong>. Was it you?
        </>
      }
    >
      <AuthButton busyLabel="Confirming...">Confirm email</AuthButton>
      <p className="mt-5 text-base text-ink-2">If it wasn’t you, you can close this page. The address stays unconfirmed.</p>
    </AuthPage>
  );
}

function UsedLink() {
  const { viewer } = useRoot();
  return (
    <AuthPage title="Confirm your email" intro={accountTexts.linkUsedUp}>
      {viewer && !viewer.isEmailConfirmed ? (
        <AuthButton action="/verify-email/again">Send a new link</AuthButton>
      ) : (
        <AuthLink to={viewer ? "/" : "/login"}>{viewer ? "Go Home" : "Sign In"}</AuthLink>
      )}
    </AuthPage>
  );
}
