import { Dialog as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { RememberOpener, useOpener } from "./dialogs/opener.tsx";

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
  const steered = { ...(open === undefined ? {} : { open }), ...(onOpenChange ? { onOpenChange } : {}) };
  const { opener, giveBack } = useOpener();
  return (
    <Radix.Root {...steered}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          className={classNames(sheet, className)}
          onCloseAutoFocus={giveBack}
          {...(text ? {} : { "aria-describedby": undefined })}
        >
          <RememberOpener opener={opener} />
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
