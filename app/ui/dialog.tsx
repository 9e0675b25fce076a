import { Dialog as Radix } from "radix-ui";
import { type ReactElement, type ReactNode, useRef } from "react";
import { classNames } from "./class-names.ts";

type DialogProps = {
  title: string;
  trigger?: ReactElement | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  text?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

export function Dialog({ title, trigger, open, onOpenChange, text, className, children }: DialogProps) {
  const focusBack = useFocusBack();
  const steered = { ...(open === undefined ? {} : { open }), ...(onOpenChange ? { onOpenChange } : {}) };
  return (
    <Radix.Root {...steered}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          {...(trigger ? {} : focusBack)}
          className={classNames(sheet, className)}
          {...(text ? {} : { "aria-describedby": undefined })}
        >
          <Radix.Title className="display text-t2">{title}</Radix.Title>
          {text && <Radix.Description className="mt-2 text-base text-ink-2">{text}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function DialogClose({ children }: { children: ReactElement }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex justify-end gap-2 max-sm:*:flex-1">{children}</div>;
}

export const scrim = "fixed inset-0 z-(--z-scrim) bg-(--scrim)";
export const sheet =
  "fixed top-1/2 left-1/2 z-(--z-dialog) max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[440px] -translate-1/2 overflow-y-auto rounded-xl border border-line bg-overlay p-6 shadow-lg";

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
