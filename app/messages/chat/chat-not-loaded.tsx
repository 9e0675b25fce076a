import { useEffect, useEffectEvent } from "react";
import { useLocation, useRevalidator } from "react-router";
import { useLiveState } from "#app/live/use-live.ts";
import { partnerOf } from "#app/messages/opening-chat.tsx";
import { ChatPane } from "./chat-pane.tsx";

const noMessages = { messages: [], more: false, partnerRead: 0, lastNumber: 0 };

/** A chat without its messages. Retries on reconnection and on request. */
export function ChatNotLoaded({ viewerId, partnerId }: { viewerId: string; partnerId: string }) {
  const { revalidate, state } = useRevalidator();
  const person = partnerOf(useLocation().state, partnerId);
  const live = useLiveState();
  const reload = useEffectEvent(() => void revalidate());
  useEffect(() => {
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  useEffect(() => {
    if (live === "open") reload();
  }, [live]);
  return (
    <ChatPane
      key={`${viewerId} ${partnerId}`}
      viewerId={viewerId}
      partner={{ ...person, location: "", blocked: false, muted: false }}
      page={noMessages}
      before={undefined}
      cursor=""
      sendId=""
      refused={undefined}
      loadError={{ retry: () => void revalidate(), isRetrying: state !== "idle" }}
    />
  );
}
