import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { X } from "#app/ui/icons.tsx";
import { isTypedSearch } from "./search-form.tsx";
import { Wordmark } from "./wordmark.tsx";

export function sheetOf(id: string): HTMLDialogElement {
  return document.getElementById(id) as HTMLDialogElement;
}

export function openAsDialog(id: string) {
  return (event: MouseEvent) => {
    event.preventDefault();
    const sheet = sheetOf(id);
    sheet.showModal();
    // The close button, not the site's name.
    sheet.querySelector("button")?.focus();
  };
}

type SheetProps = { id: string; className: string; headClassName: string; wordmarkClassName: string; children: ReactNode };

export function Sheet({ id, className, headClassName, wordmarkClassName, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { key, state } = useLocation();
  const next = useNavigation().location;
  const [targetKey, targetState] = next ? [next.key, next.state] : [key, state];
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes the sheet, except those caused by typing in it.
  useEffect(() => {
    if (!isTypedSearch(targetState)) dialog.current?.close();
  }, [targetKey]);
  return (
    <dialog
      ref={dialog}
      id={id}
      popover="auto"
      aria-label="Menu"
      className={classNames("m-0 h-dvh max-h-none flex-col overflow-y-auto overscroll-contain text-ink open:flex lg:hidden", className)}
    >
      <div className={classNames("flex h-14 shrink-0 items-center justify-between", headClassName)}>
        <Wordmark className={wordmarkClassName} />
        <IconButton
          label="Close menu"
          icon={X}
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={(event) => {
            event.preventDefault();
            sheetOf(id).close();
          }}
          className="-mr-2.5"
        />
      </div>
      {children}
    </dialog>
  );
}
