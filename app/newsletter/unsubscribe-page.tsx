import { Form } from "react-router";
import { siteContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { readSubscription, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/unsubscribe-page.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "Unsubscribe" });
}

/** Opening the link changes nothing: programs that check mail for harmful links open it too. */
export async function loader({ url, context }: Route.LoaderArgs) {
  try {
    const { email } = await readSubscription(context.get(siteContext), url.searchParams.get("token") ?? "");
    return { email };
  } catch (error) {
    refusalOf(error);
    return { email: null };
  }
}

/** The page's button, and the one that mail programs show (RFC 8058), which posts to the address in the email's head. */
export async function action({ url, context }: Route.ActionArgs) {
  const issue = url.searchParams.get("issue") ?? "";
  await unsubscribe(context.get(siteContext), url.searchParams.get("token") ?? "", /^\d{1,6}$/.test(issue) ? Number(issue) : undefined);
  return { done: true };
}

export default function UnsubscribePage({ loaderData: { email }, actionData }: Route.ComponentProps) {
  if (actionData?.done || email === null)
    return (
      <PlainPage title={newsletterTexts.unsubscribed} lead="You won’t get the newsletter anymore.">
        <ButtonLink to="/" className="mt-8">
          Go Home
        </ButtonLink>
      </PlainPage>
    );
  return (
    <PlainPage title="Unsubscribe" lead={`Stop the weekly newsletter to ${email}?`}>
      <Form method="post" className="mt-8">
        <Button type="submit" variant="primary">
          Unsubscribe
        </Button>
      </Form>
    </PlainPage>
  );
}
