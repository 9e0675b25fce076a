import { Form } from "react-router";
import { siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmailLinkPage } from "#app/ui/email-link-page.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { confirmSubscription, readConfirmation, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/confirm-subscription-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Your subscription" });

function linkOf({ searchParams }: URL) {
  return { token: searchParams.get("token") ?? "", code: searchParams.get("code") ?? "" };
}

export async function loader({ url, context }: Route.LoaderArgs) {
  try {
    const { email, confirmed } = await readConfirmation(context.get(siteContext), linkOf(url));
    return { email, confirmed, problem: null };
  } catch (error) {
    return { email: null, confirmed: false, problem: refusalOf(error).message };
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const [site, { token, code }] = [context.get(siteContext), linkOf(url)];
  if (form.get("intent") === "subscribe") {
    await confirmSubscription(site, { token, code });
    return redirectWithToast(`/subscribe/confirm?token=${encodeURIComponent(token)}`, { tone: "success", text: newsletterTexts.confirmed });
  }
  await unsubscribe(site, token);
  return redirectWithToast("/", { tone: "success", text: newsletterTexts.unsubscribed });
}

export default function ConfirmSubscriptionPage({ loaderData: { email, confirmed, problem } }: Route.ComponentProps) {
  if (problem !== null)
    return <EmailLinkPage title="This link doesn’t work" lead={problem} next={{ to: "/subscribe", label: "Subscribe" }} />;
  if (!confirmed) {
    const lead = `Get the weekly newsletter at ${email}?`;
    return <EmailLinkPage title="Confirm your subscription" lead={lead} button="Subscribe" intent="subscribe" />;
  }
  return (
    <PlainPage title={newsletterTexts.confirmed} lead={`You’ll get the weekly newsletter at ${email}.`}>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to="/" variant="primary">
          Go Home
        </ButtonLink>
        <Form method="post">
          <Button type="submit" variant="ghost">
            Unsubscribe
          </Button>
        </Form>
      </div>
    </PlainPage>
  );
}
