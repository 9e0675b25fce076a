import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { closedOf, isRequestFailure } from "#app/shell/closed.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { findPartner, readMessages } from "#domain/messages/chat.server.ts";
import { messageTexts } from "#domain/messages/message.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import type { Route } from "./+types/chat-page.ts";
import { ChatNotLoaded } from "./chat-not-loaded.tsx";
import { ChatPane } from "./chat-pane.tsx";
import { newMessage } from "./new-message.server.ts";

export const handle: FrameHandle = { frame: "app" };

export async function loader({ params, request, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  if (viewer?.id === params.userId) throw redirect("/messages");
  const cursor = site.events.latest();
  const partner = await findPartner(site, viewer, params.userId);
  const before = wholeNumber(url.searchParams.get("before")) || undefined;
  const page = await readMessages(site, viewer, params.userId, { before });
  // Scripts mark messages as read themselves. Without JavaScript a page load does, unless it is a prefetch.
  const isDocument = request.headers.get("sec-fetch-dest") === "document" && !request.headers.has("sec-purpose");
  if (isDocument) await markConversationRead(site, viewer, params.userId);
  return { partner, page, before, cursor, sendId: crypto.randomUUID() };
}

const notLoaded = new Set<string>();

/** If the chat can't be loaded, the page opens without messages and the message queue keeps what is sent. */
export async function clientLoader({ params: { userId }, serverLoader }: Route.ClientLoaderArgs) {
  try {
    const loaded = await serverLoader();
    notLoaded.delete(userId);
    return loaded;
  } catch (error) {
    if (!isRequestFailure(error) || closedOf(error)?.code === "maintenance") throw error;
    notLoaded.add(userId);
    return null;
  }
}

/** For browsers without JavaScript; others use the message queue. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  const message = newMessage(await readForm(request), params.userId);
  try {
    await sendMessage(context.get(siteContext), viewer, message);
  } catch (error) {
    const { text } = message;
    const toResult = ({ message }: { message: string }) => ({ text, error: `${messageTexts.sendFailed}: ${message}` });
    // With another account the login would lead back without the text.
    return respondToForm(error, toResult, viewer ? ["not-found"] : ["sign-in-required", "not-found"]);
  }
  return redirect(`/messages/${encodeURIComponent(params.userId)}`);
}

export function shouldRevalidate({ currentParams, nextParams, currentUrl, nextUrl }: Revalidation): boolean {
  return notLoaded.has(nextParams.userId ?? "") || currentParams.userId !== nextParams.userId || currentUrl.search !== nextUrl.search;
}

type Revalidation = {
  currentParams: Record<string, string | undefined>;
  nextParams: Record<string, string | undefined>;
  currentUrl: URL;
  nextUrl: URL;
};

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData ? `Messages with ${loaderData.partner.name}` : "Messages" });

export default function ChatPage({ params, loaderData, actionData }: Route.ComponentProps) {
  const viewer = useRoot().viewer;
  if (!viewer) return null;
  if (!loaderData) return <ChatNotLoaded viewerId={viewer.id} partnerId={params.userId} />;
  const { partner, before, cursor } = loaderData;
  return (
    <ChatPane
      key={`${viewer.id} ${partner.id} ${before ?? ""} ${cursor}`}
      {...loaderData}
      viewerId={viewer.id}
      refused={actionData && "error" in actionData ? actionData : undefined}
    />
  );
}
