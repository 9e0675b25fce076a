import { clientContext, requireMember, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { readOwnAccount } from "#domain/accounts/own-account.server.ts";
import { removePasskey } from "#domain/accounts/sign-in/passkeys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { NotFound } from "#domain/refusals.ts";
import type { Route } from "./+types/remove-passkey-page.ts";
import { removePasskeyQuestion, removePasskeyText } from "./remove-passkey.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { passkeys } = await readOwnAccount(context.get(siteContext), requireMember(context));
  const passkey = passkeys.find(({ id }) => id === params.id);
  if (!passkey) throw new NotFound();
  return { name: passkey.name };
}

/** Without JavaScript the form arrives unconfirmed, and this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [site, viewer, client] = [context.get(siteContext), context.get(viewerContext), context.get(clientContext)];
  const form = await readForm(request, formLimits.account);
  if (form.get("confirmed") !== "yes") return null;
  await removePasskey(site, viewer, client, params.id);
  return redirectWithToast("/account", { tone: "success", text: "The passkey has been removed." });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: removePasskeyQuestion.title });

export default function RemovePasskeyPage({ loaderData: { name } }: Route.ComponentProps) {
  return <ConfirmPage {...removePasskeyQuestion} text={removePasskeyText(name)} cancel="/account" />;
}
