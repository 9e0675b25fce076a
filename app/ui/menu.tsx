import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import type { MenuItem as Item, MenuLink as ItemLink } from "./panels/menu-panel.tsx";
import { loadPanels, openPanels, usePanels } from "./panels/panels.ts";

type MenuProps = {
  trigger: ReactElement<ComponentProps<"button">>;
  align?: "start" | "end" | undefined;
  className?: string | undefined;
  children: ReactNode;
};

export function Menu({ trigger, align = "end", className, children }: MenuProps) {
  const [opened, setOpened] = useState<"by key" | "by pointer" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const panels = usePanels(opened !== null);
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id,
        "aria-haspopup": "menu",
        "aria-expanded": opened !== null,
        onPointerEnter: () => void loadPanels().catch(() => {}),
        // `detail` is 0 for clicks by keyboard.
        onClick: (event: MouseEvent) => setOpened(opened ? null : event.detail === 0 ? "by key" : "by pointer"),
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpened("by key");
        },
      })}
      {panels && (
        <panels.MenuPanel {...{ button, align, className }} byKey={opened === "by key"} onClose={() => setOpened(null)}>
          {children}
        </panels.MenuPanel>
      )}
    </>
  );
}

export function MenuItem(props: ComponentProps<typeof Item>) {
  const { MenuItem: Row } = openPanels();
  return <Row {...props} />;
}

export function MenuLink(props: ComponentProps<typeof ItemLink>) {
  const { MenuLink: Row } = openPanels();
  return <Row {...props} />;
}

export function MenuRule() {
  const { MenuRule: Rule } = openPanels();
  return <Rule />;
}
