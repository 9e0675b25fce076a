import { useEffect, useState } from "react";
import { readStored, store } from "#app/browser/stored.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { capitalize } from "#domain/format.ts";
import { messageTexts } from "#domain/messages/message.ts";

export const chatThemes = ["default", "dark", "blue", "purple", "green"] as const;
export type ChatTheme = (typeof chatThemes)[number];

/** `Default`, `Blue` … */
export function themeName(theme: ChatTheme): string {
  return capitalize(theme);
}

const keyOf = (viewerId: string, partnerId: string) => `inkstead:chat-theme:${viewerId}:${partnerId}`;

/** A chat's colors, per partner, kept in this browser. */
export function useChatTheme(viewerId: string, partnerId: string): { theme: ChatTheme; choose: (theme: ChatTheme) => void } {
  const [theme, setTheme] = useState<ChatTheme>("default");
  useEffect(() => setTheme(readTheme(viewerId, partnerId)), [viewerId, partnerId]);
  return {
    theme,
    choose(chosen) {
      setTheme(chosen);
      store(keyOf(viewerId, partnerId), chosen);
      showToast({ tone: "success", text: messageTexts.themeChanged(themeName(chosen)) });
    },
  };
}

function readTheme(viewerId: string, partnerId: string): ChatTheme {
  const stored = readStored(keyOf(viewerId, partnerId));
  return chatThemes.find((theme) => theme === stored) ?? "default";
}

export function forgetTheme(viewerId: string, partnerId: string): void {
  store(keyOf(viewerId, partnerId), null);
}
