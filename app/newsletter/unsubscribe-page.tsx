import { data } from "react-router";
import { siteContext } from "#app/context.ts";
import { BrokenLink } from "#app/notifications/broken-link.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { EmailLinkPage } from "#app/ui/email-link-page.tsx";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { isSubscriberToken, readSubscription, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/unsubscribe-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Unsubscribe" });

const tokenIn = (url: URL) => url.searchParams.get("token") ?? "";

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
      <EmailLinkPage
        title={newsletterTexts.unsubscribed}
        lead="If you’ve changed your email since, you can turn the newsletter off in your account."
        next={{ to: "/", label: "Go Home" }}
      />
    );
  return <EmailLinkPage title="Unsubscribe" lead={`Stop the weekly newsletter to ${email}?`} button="Unsubscribe" />;
}
