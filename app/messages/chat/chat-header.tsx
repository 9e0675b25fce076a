import { type RefObject, useState } from "react";
import { OnlineDot } from "#app/messages/use-online.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { ArrowLeft, Ban, BellOff, BellRing, EllipsisVertical, Palette, Search, Trash2, UserRound } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Menu, MenuItem, MenuLink, MenuRule } from "#app/ui/menu.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Partner } from "#domain/messages/chat.server.ts";
import { type ChatTheme, chatThemes, themeName } from "./chat-theme.ts";

type ChatHeaderProps = {
  partner: Partner;
  isOnline: boolean;
  isTyping: boolean;
  theme: ChatTheme;
  onTheme(theme: ChatTheme): void;
  isSearching: boolean;
  searchButton: RefObject<HTMLButtonElement | null>;
  onSearch(): void;
  onBlock(blocked: boolean): void;
  onMute(muted: boolean): void;
  onDelete(): void;
  hasMessages: boolean;
};

type Question = "delete" | "block";

export function ChatHeader({ partner, isOnline, isTyping, hasMessages, onDelete, onBlock, ...rest }: ChatHeaderProps) {
  const [asking, setAsking] = useState<Question | null>(null);
  const hydrated = useHydrated();
  return (
    <div className="flex h-16 shrink-0 items-center gap-1 border-b border-line bg-paper px-2 sm:gap-2 lg:h-[72px] lg:px-5">
      <IconLink to="/messages" label="Back to conversations" icon={ArrowLeft} className="size-11! lg:hidden" />
      <span className="relative shrink-0">
        <Avatar {...partner} size={40} />
        {isOnline && <OnlineDot />}
      </span>
      <div className="ml-1 min-w-0 flex-1">
        <h1>
          <Link to={`/profile/${partner.id}`} className="block truncate text-md font-semibold leading-5! hover:underline">
            {partner.name}
          </Link>
        </h1>
        <p className="truncate text-sm text-ink-2">{isTyping ? "typing…" : isOnline ? "Online" : partner.location}</p>
      </div>
      <IconButton
        ref={rest.searchButton}
        label="Search messages"
        icon={Search}
        variant={rest.isSearching ? "soft" : "ghost"}
        aria-pressed={rest.isSearching}
        disabled={!hydrated}
        onClick={rest.onSearch}
        className="size-11!"
      />
      <ThemeMenu theme={rest.theme} onTheme={rest.onTheme} />
      <IconButton
        label="Delete chat"
        icon={Trash2}
        disabled={!hydrated || !hasMessages}
        onClick={() => setAsking("delete")}
        className="size-11! max-sm:hidden"
      />
      <MoreMenu partner={partner} hasMessages={hasMessages} onMute={rest.onMute} onUnblock={() => onBlock(false)} onAsk={setAsking} />
      <ConfirmDialog
        open={asking === "delete"}
        onOpenChange={() => setAsking(null)}
        title="Delete this chat?"
        text={`This deletes every message for you and ${partner.name}. It can’t be undone.`}
        confirmLabel="Delete chat"
        onConfirm={onDelete}
      />
      <ConfirmDialog
        open={asking === "block"}
        onOpenChange={() => setAsking(null)}
        title={`Block ${partner.name}?`}
        text="You won’t get their messages. They won’t be notified, and you can unblock them anytime."
        confirmLabel="Block"
        onConfirm={() => onBlock(true)}
      />
    </div>
  );
}

type MoreMenuProps = {
  partner: Partner;
  hasMessages: boolean;
  onMute(muted: boolean): void;
  onUnblock(): void;
  onAsk(question: Question): void;
};

function MoreMenu({ partner, hasMessages, onMute, onUnblock, onAsk }: MoreMenuProps) {
  return (
    <Menu trigger={<IconButton label="More" icon={EllipsisVertical} disabled={!useHydrated()} className="size-11!" />}>
      <MenuLink icon={UserRound} to={`/profile/${partner.id}`}>
        View profile
      </MenuLink>
      {hasMessages && (
        <MenuItem icon={partner.muted ? BellRing : BellOff} onSelect={() => onMute(!partner.muted)}>
          {partner.muted ? "Unmute" : "Mute"}
        </MenuItem>
      )}
      <MenuRule />
      <MenuItem icon={Ban} danger={!partner.blocked} onSelect={() => (partner.blocked ? onUnblock() : onAsk("block"))}>
        {partner.blocked ? "Unblock" : "Block"}
      </MenuItem>
      {hasMessages && (
        <MenuItem icon={Trash2} danger onSelect={() => onAsk("delete")}>
          Delete chat
        </MenuItem>
      )}
    </Menu>
  );
}

function ThemeMenu({ theme, onTheme }: { theme: ChatTheme; onTheme(theme: ChatTheme): void }) {
  return (
    <Menu trigger={<IconButton label="Chat theme" icon={Palette} disabled={!useHydrated()} className="size-11!" />} className="w-52">
      <p className="px-2.5 pt-1 pb-1 text-xs font-medium text-ink-3">Chat theme</p>
      {chatThemes.map((each) => (
        <MenuItem key={each} checked={each === theme} onSelect={() => onTheme(each)}>
          <span className={`flex items-center gap-3 ${each === theme ? "font-semibold" : ""}`}>
            <span
              data-chat-theme={each}
              className="relative inline-block size-6 shrink-0 overflow-hidden rounded-full border border-line-strong bg-chat-bg"
            >
              <span className="absolute right-0 bottom-0 size-3/5 rounded-tl-lg bg-chat-out" />
            </span>
            {themeName(each)}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
