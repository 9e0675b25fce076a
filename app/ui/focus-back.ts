import { useRef } from "react";

/**
 * For a dialog without a trigger of its own: when it closes, what had the focus gets it back, or the button of the menu in which it was
 * chosen.
 */
export function useFocusBack() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus() {
      opener.current = openerOf(document.activeElement);
    },
    onCloseAutoFocus(event: Event) {
      if (!opener.current?.isConnected) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}

function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
