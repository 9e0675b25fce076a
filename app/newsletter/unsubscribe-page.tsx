import { data, Form } from "react-router";
import { siteContext } from "#app/context.ts";
import { BrokenLink } from "#app/notifications/broken-link.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { isSubscriberToken, readSubscription, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/unsubscribe-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Unsubscribe" });

const tokenIn = (url: URL) => url.searchParams.get("token") ?? "";

/** Opening the link changes nothing: mail scanners open it too. */
export async function loader({ url, context }: Route.LoaderArgs) {
  try {
    const { email } = await readSubscription(context.get(siteContext), tokenIn(url));
    return { email, isBroken: false };
  } catch (error) {
    refusalOf(error);
    return { email: null, isBroken: !isSubscriberToken(tokenIn(url)) };
  }
}

/** Also the target of one-click unsubscribe in mail programs (RFC 8058). */
export async function action({ url, context }: Route.ActionArgs) {
  const issue = url.searchParams.get("issue") ?? "";
  await unsubscribe(context.get(siteContext), tokenIn(url), /^\d{1,6}$/.test(issue) ? Number(issue) : undefined);
  const done = isSubscriberToken(tokenIn(url));
  return data({ done }, { status: done ? 200 : 404 });
}

export default function UnsubscribePage({ loaderData: { email, isBroken }, actionData }: Route.ComponentProps) {
  if (isBroken) return <BrokenLink />;
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
