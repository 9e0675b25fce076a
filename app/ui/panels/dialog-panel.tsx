import { AlertDialog, Dialog } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import { Button } from "../button.tsx";
import { classNames } from "../class-names.ts";
import { FieldError } from "../field.tsx";
import { DialogActions, scrim, sheet } from "./dialog-parts.tsx";

export { watchFocus } from "./focus.ts";

type DialogPanelProps = {
  title: string;
  text?: ReactNode;
  className?: string | undefined;
  onOpenChange(open: boolean): void;
  onClosed?: (() => void) | undefined;
  children?: ReactNode;
};

/** Returns the focus to the opener: for a menu item, to the menu's button. */
function useFocusReturn(onClosed?: () => void) {
  const [opener] = useState(() => {
    const focused = document.activeElement as HTMLElement | null;
    const menu = focused?.closest("[role=menu]");
    return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  });
  return (event: Event) => {
    event.preventDefault();
    if (onClosed) return onClosed();
    const target = opener?.isConnected && opener !== document.body ? opener : document.getElementById("main");
    target?.focus();
  };
}

export function DialogPanel({ title, text, className, onOpenChange, onClosed, children }: DialogPanelProps) {
  return (
    <Dialog.Root open onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          className={classNames(sheet, className)}
          onCloseAutoFocus={useFocusReturn(onClosed)}
          {...(text ? {} : { "aria-describedby": undefined })}
        >
          <Dialog.Title className="display text-t2">{title}</Dialog.Title>
          {text && <Dialog.Description className="mt-2 text-base text-ink-2">{text}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export function DialogClose({ children }: { children: ReactElement }) {
  return <Dialog.Close asChild>{children}</Dialog.Close>;
}

type QuestionProps = Pick<DialogPanelProps, "title" | "text" | "onOpenChange"> & {
  cancelLabel?: string;
  error?: string | undefined;
  children: ReactNode;
};

export function Question({ title, text, onOpenChange, cancelLabel = "Cancel", error, children }: QuestionProps) {
  return (
    <AlertDialog.Root open onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrim} />
        <AlertDialog.Content className={sheet} onCloseAutoFocus={useFocusReturn()}>
          <AlertDialog.Title className="display text-t2">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-base text-ink-2">{text}</AlertDialog.Description>
          {error && <FieldError>{error}</FieldError>}
          <DialogActions>
            <AlertDialog.Cancel asChild>
              <Button>{cancelLabel}</Button>
            </AlertDialog.Cancel>
            {children}
          </DialogActions>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
