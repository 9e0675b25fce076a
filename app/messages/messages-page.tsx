import { Outlet, useParams } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { classNames } from "#app/ui/class-names.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/messages-page.ts";
import { ConversationList } from "./conversation-list.tsx";
import { LogInPrompt } from "./log-in-prompt.tsx";
import { OpeningChat, useOpening } from "./opening-chat.tsx";
import { useSessionEnded } from "./use-session-ended.ts";

export const handle: FrameHandle = { frame: "app" };

export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const cursor = site.events.latest();
  const after = url.searchParams.get("after");
  return { list: await listConversations(site, context.get(viewerContext), after), after, cursor };
}

export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.searchParams.get("after") !== nextUrl.searchParams.get("after");
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Messages" });

/** The list on the left, the chat on the right; below 1024 pixels one of them (messaging and administration §2). */
export default function MessagesPage({ loaderData: { list, after, cursor } }: Route.ComponentProps) {
  const { viewer } = useRoot();
  const { userId } = useParams();
  const opening = useOpening();
  const current = opening?.partner.id ?? userId;
  if (useSessionEnded(viewer?.id ?? "")) return <LogInPrompt />;
  return (
    <div className="flex h-0 min-h-[24rem] grow">
      <aside
        aria-label="Conversations"
        className={classNames(
          "w-full min-w-0 shrink-0 flex-col border-line bg-paper lg:flex lg:border-r lg:w-[372px]",
          userId || opening?.isSlow ? "hidden" : "flex",
        )}
      >
        {viewer && <ConversationList key={`${viewer.id} ${after}`} viewerId={viewer.id} first={list} cursor={cursor} current={current} />}
      </aside>
      {opening?.isSlow && opening.partner.id !== userId ? <OpeningChat partner={opening.partner} /> : <Outlet />}
    </div>
  );
}
