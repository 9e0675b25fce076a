import { type RefObject, useRef, useState } from "react";

type Opener = RefObject<HTMLElement | null>;

/**
 * Gives the focus back to what opened a dialog, also where that was an item of a menu, which is gone by then: put `RememberOpener` into
 * what is shown while the dialog is open, and `giveBack` into its `onCloseAutoFocus`.
 */
export function useOpener(): { opener: Opener; giveBack: (event: Event) => void } {
  const opener: Opener = useRef(null);
  const giveBack = (event: Event) => {
    event.preventDefault();
    const back = opener.current?.isConnected ? opener.current : document.getElementById("main");
    back?.focus();
  };
  return { opener, giveBack };
}

/** Looks while it is rendered first: once it is there, a menu has gone, and the dialog has the focus. */
export function RememberOpener({ opener }: { opener: Opener }) {
  useState(() => {
    opener.current = openerNow();
  });
  return null;
}

function openerNow(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const found = button ? document.getElementById(button) : activeElement;
  return found instanceof HTMLElement && found !== document.body ? found : null;
}
