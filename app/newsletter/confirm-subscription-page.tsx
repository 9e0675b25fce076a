import { Form } from "react-router";
import { siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { confirmSubscription, readConfirmation, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/confirm-subscription-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Your subscription" });

/** Opening the link changes nothing: mail scanners open it too, and must not consent for people. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const link = { token: url.searchParams.get("token") ?? "", code: url.searchParams.get("code") ?? "" };
  try {
    const { email, confirmed } = await readConfirmation(context.get(siteContext), link);
    return { ...link, email, confirmed, problem: null };
  } catch (error) {
    return { token: null, code: null, email: null, confirmed: false, problem: refusalOf(error).message };
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const [site, token] = [context.get(siteContext), String(form.get("token") ?? "")];
  if (form.get("intent") === "subscribe") {
    await confirmSubscription(site, { token, code: String(form.get("code") ?? "") });
    return redirectWithToast(`/subscribe/confirm?token=${encodeURIComponent(token)}`, { tone: "success", text: newsletterTexts.confirmed });
  }
  await unsubscribe(site, token);
  return redirectWithToast("/", { tone: "success", text: newsletterTexts.unsubscribed });
}

export default function ConfirmSubscriptionPage({ loaderData: { token, code, email, confirmed, problem } }: Route.ComponentProps) {
  if (problem !== null)
    return (
      <PlainPage title="This link doesn’t work" lead={problem}>
        <ButtonLink to="/subscribe" className="mt-8">
          Subscribe
        </ButtonLink>
      </PlainPage>
    );
  if (!confirmed)
    return (
      <PlainPage title="Confirm your subscription" lead={`Get the weekly newsletter at ${email}?`}>
        <Form method="post" className="mt-8">
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="code" value={code} />
          <Button type="submit" name="intent" value="subscribe" variant="primary">
            Subscribe
          </Button>
        </Form>
      </PlainPage>
    );
  return (
    <PlainPage title={newsletterTexts.confirmed} lead={`You’ll get the weekly newsletter at ${email}.`}>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to="/" variant="primary">
          Go Home
        </ButtonLink>
        <Form method="post">
          <input type="hidden" name="token" value={token} />
          <Button type="submit" variant="ghost">
            Unsubscribe
          </Button>
        </Form>
      </div>
    </PlainPage>
  );
}
