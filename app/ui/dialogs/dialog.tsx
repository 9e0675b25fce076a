import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { openPanels, usePanels } from "../panels/panels.ts";

type DialogProps = {
  title: string;
  trigger?: ReactElement<ComponentProps<"button">> | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** Moves the focus after closing; by default it returns to the opener. */
  onClosed?: (() => void) | undefined;
  text?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

export function Dialog({ trigger, open: controlledOpen, onOpenChange, ...rest }: DialogProps) {
  const [pressed, setPressed] = useState(false);
  const open = controlledOpen ?? pressed;
  const panels = usePanels(open);
  const change = (next: boolean) => {
    setPressed(next);
    onOpenChange?.(next);
  };
  return (
    <>
      {trigger && cloneElement(trigger, { "aria-haspopup": "dialog", "aria-expanded": open, onClick: () => change(true) })}
      {panels && <panels.DialogPanel {...rest} onOpenChange={change} />}
    </>
  );
}

export function DialogClose({ children }: { children: ReactElement }) {
  const { DialogClose: Close } = openPanels();
  return <Close>{children}</Close>;
}
