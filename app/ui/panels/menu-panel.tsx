import { Menu as Radix } from "radix-ui/internal";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { classNames } from "../class-names.ts";
import type { Icon } from "../icon.ts";
import { Check } from "../icons.tsx";
import { Link, type LinkProps } from "../link.tsx";

type MenuPanelProps = {
  button: RefObject<HTMLButtonElement | null>;
  /** Opened by keyboard: focuses the first item. */
  byKey: boolean;
  align: "start" | "end";
  className?: string | undefined;
  onClose(): void;
  children: ReactNode;
};

export function MenuPanel({ button, byKey, align, className, onClose, children }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const leaves = useRef(false);
  useEffect(() => {
    if (byKey) panel.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, [byKey]);
  return (
    <Radix.Root open onOpenChange={onClose} modal={false}>
      <Radix.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      {/* Inside a landmark, for screen readers that navigate by landmarks. */}
      <Radix.Portal container={document.getElementById("main")}>
        <Radix.Content
          ref={panel}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-labelledby={button.current?.id}
          onInteractOutside={(event) => {
            // The button toggles it.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
            else leaves.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!leaves.current) button.current?.focus();
          }}
          className={classNames(
            "z-(--z-menu) w-56 origin-(--radix-popper-transform-origin) animate-pop rounded-lg border border-line bg-overlay p-1.5 text-base shadow-lg",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const row = "flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-left outline-none data-[highlighted]:bg-hover max-lg:h-11";

type ItemProps = { icon?: Icon | undefined; danger?: boolean | undefined; children: ReactNode };

function Content({ icon: IconComponent, danger, children }: ItemProps) {
  return (
    <>
      {IconComponent && <IconComponent aria-hidden className={classNames("size-4 shrink-0", !danger && "text-ink-3")} />}
      <span className="flex-1">{children}</span>
    </>
  );
}

type MenuItemProps = ItemProps & {
  checked?: boolean | undefined;
  onSelect?: ((event: Event) => void) | undefined;
};

export function MenuItem({ icon, danger, checked, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
      {...(onSelect ? { onSelect } : {})}
      {...(checked === undefined ? {} : { role: "menuitemradio", "aria-checked": checked })}
      className={classNames(row, "cursor-pointer", danger ? "text-danger" : "text-ink")}
    >
      <Content {...{ icon, danger, children }} />
      {checked && <Check aria-hidden className="size-4 shrink-0 text-accent-ink" />}
    </Radix.Item>
  );
}

export function MenuLink({ icon, danger, children, ...rest }: ItemProps & Omit<LinkProps, "children">) {
  return (
    <Radix.Item asChild>
      <Link {...rest} className={classNames(row, danger ? "text-danger" : "text-ink")}>
        <Content {...{ icon, danger, children }} />
      </Link>
    </Radix.Item>
  );
}

export function MenuRule() {
  return <Radix.Separator className="-mx-1.5 my-1.5 h-px bg-line" />;
}
