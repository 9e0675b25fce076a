import { Form } from "react-router";
import { siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { confirmSubscription, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/confirm-subscription-page.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "Your subscription" });
}

/** Opening the link confirms; asking again changes nothing. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const token = url.searchParams.get("token") ?? "";
  try {
    const { email } = await confirmSubscription(context.get(siteContext), token);
    return { token, email, problem: null };
  } catch (error) {
    return { token: null, email: null, problem: refusalOf(error).message };
  }
}

/** The way out that every letter leads to. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  await unsubscribe(context.get(siteContext), String(form.get("token") ?? ""));
  return redirectWithToast("/", { tone: "success", text: newsletterTexts.unsubscribed });
}

export default function ConfirmSubscriptionPage({ loaderData: { token, email, problem } }: Route.ComponentProps) {
  if (problem !== null)
    return (
      <PlainPage title="Something is wrong with this link" lead={problem}>
        <ButtonLink to="/subscribe" className="mt-8">
          Subscribe
        </ButtonLink>
      </PlainPage>
    );
  return (
    <PlainPage title={newsletterTexts.confirmed} lead={`The weekly letter goes to ${email} from now on.`}>
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
