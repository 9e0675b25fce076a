import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ConnectionBanner } from "#app/messages/connection-banner.tsx";
import { LogInPrompt } from "#app/messages/log-in-prompt.tsx";
import { changeChat } from "#app/messages/requests.ts";
import { useOnline, useTyping } from "#app/messages/use-online.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import type { Partner } from "#domain/messages/chat.server.ts";
import { type MessagePage, messageTexts } from "#domain/messages/message.ts";
import { ChatHeader } from "./chat-header.tsx";
import { ChatSearch } from "./chat-search.tsx";
import { forgetTheme, useChatTheme } from "./chat-theme.ts";
import { Composer } from "./composer.tsx";
import { type LoadRetry, MessageList } from "./message-list.tsx";
import { useChat } from "./use-chat.ts";
import { useChatSearch } from "./use-chat-search.ts";
import { useUploads } from "./use-uploads.ts";

export type ChatPaneProps = {
  viewerId: string;
  partner: Partner;
  page: MessagePage;
  before: number | undefined;
  cursor: string;
  sendId: string;
  /** The result of a form without JavaScript. */
  refused: { text: string; error: string } | undefined;
  /** The messages could not be loaded. */
  loadError?: LoadRetry;
};

export function ChatPane({ viewerId, partner: loaded, page, before, cursor, sendId, refused, loadError }: ChatPaneProps) {
  const [partner, setPartner] = useState(loaded);
  const chat = useChat({ viewerId, partnerId: loaded.id, page, cursor, isLoadFailed: loadError !== undefined });
  const { theme, choose } = useChatTheme(viewerId, loaded.id);
  const search = useChatSearch(viewerId, loaded.id, chat.log);
  const searchButton = useRef<HTMLButtonElement>(null);
  const closeSearch = () => {
    search.toggle();
    searchButton.current?.focus();
  };
  const uploads = useUploads(viewerId, loaded.id, chat.refresh);
  // Presence is visible only between people who have written each other.
  const isOnline = useOnline(chat.log.messages.length > 0 ? [loaded.id] : []).has(loaded.id);
  const isTyping = useTyping(loaded.id);
  const navigate = useNavigate();
  const { viewer } = useRoot();
  if (chat.signedOut || !viewer) return <LogInPrompt />;

  const setState = (change: "block" | "mute", value: boolean) =>
    changeChat(viewerId, partner.id, change, value ? "yes" : "no").then(
      () => setPartner((before) => ({ ...before, [change === "block" ? "blocked" : "muted"]: value })),
      () => showToast({ tone: "error", text: "We couldn’t save that. Please try again." }),
    );
  const removeMessage = (id: string, number: number) =>
    changeChat(viewerId, partner.id, "delete-message", id).then(
      () => {
        chat.forget(number);
        showToast({ tone: "success", text: messageTexts.messageDeleted });
      },
      () => showToast({ tone: "error", text: messageTexts.deleteFailed }),
    );
  const removeChat = () =>
    changeChat(viewerId, partner.id, "delete-chat").then(
      () => {
        forgetTheme(viewerId, partner.id);
        showToast({ tone: "success", text: messageTexts.chatDeleted });
        void navigate("/messages");
      },
      () => showToast({ tone: "error", text: messageTexts.deleteChatFailed }),
    );

  return (
    <section aria-label={`Chat with ${partner.name}`} data-chat-theme={theme} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ChatHeader
        partner={partner}
        isOnline={isOnline}
        isTyping={isTyping}
        theme={theme}
        onTheme={choose}
        isSearching={search.open}
        searchButton={searchButton}
        onSearch={search.toggle}
        onBlock={(blocked) => void setState("block", blocked)}
        onMute={(muted) => void setState("mute", muted)}
        onDelete={() => void removeChat()}
        hasMessages={chat.log.messages.length > 0}
      />
      {search.open && <ChatSearch search={search} onClose={closeSearch} />}
      <MessageList
        viewerId={viewerId}
        partner={partner}
        chat={chat}
        uploads={uploads.uploads}
        loadError={loadError}
        found={search.found}
        term={search.term}
        isOlderPage={before !== undefined}
        onDelete={(message) => void removeMessage(message.id, message.number)}
      />
      <ConnectionBanner />
      <Composer
        viewerId={viewerId}
        partner={partner}
        sendId={sendId}
        refused={refused}
        onFile={uploads.start}
        onUnblock={() => void setState("block", false)}
      />
    </section>
  );
}
