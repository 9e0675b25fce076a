import { data } from "react-router";
import { siteContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { EmailLinkPage } from "#app/ui/email-link-page.tsx";
import { isUnsubscribeTarget, notificationKinds, type UnsubscribeTarget } from "#domain/notifications/kinds.ts";
import { isUnsubscribeToken, stopEmails } from "#domain/notifications/stop-emails.server.ts";
import type { Route } from "./+types/stop-emails-page.ts";
import { BrokenLink, settingsLink } from "./broken-link.tsx";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Stop these emails" });

function readParams(url: URL): { token: string; about: UnsubscribeTarget | null } {
  const about = url.searchParams.get("about");
  return { token: url.searchParams.get("token") ?? "", about: isUnsubscribeTarget(about) ? about : null };
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const { token, about } = readParams(url);
  return { about, isKnown: about !== null && (await isUnsubscribeToken(context.get(siteContext), token)) };
}

/** Also the target of one-click unsubscribe in mail programs (RFC 8058). */
export async function action({ url, context }: Route.ActionArgs) {
  const { token, about } = readParams(url);
  const done = about !== null && (await stopEmails(context.get(siteContext), token, about));
  return data({ done }, { status: done ? 200 : 404 });
}

export default function StopEmailsPage({ loaderData: { about, isKnown }, actionData }: Route.ComponentProps) {
  if (actionData?.done)
    return (
      <EmailLinkPage title="These emails have stopped" lead="You can change this in your notification settings." next={settingsLink} />
    );
  if (!isKnown || about === null) return <BrokenLink />;
  return (
    <EmailLinkPage
      title="Stop these emails"
      lead={`You won’t get ${nameOf(about)} by email anymore. Notifications on the site stay the same.`}
      button="Stop"
    />
  );
}

function nameOf(about: UnsubscribeTarget): string {
  if (about === "daily") return "your daily summary";
  return about === "weekly" ? "your weekly summary" : `“${notificationKinds[about].label}”`;
}
