import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";

type MenuProps = { trigger: ReactElement; align?: "start" | "end" | undefined; className?: string | undefined; children: ReactNode };

export function Menu({ trigger, align = "end", className, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* Within the page's main part: what stands outside of every landmark is passed over by those who go by them. */}
      <Radix.Portal container={typeof document === "undefined" ? null : document.getElementById("main")}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className={classNames(
            "z-(--z-menu) w-56 origin-(--radix-dropdown-menu-content-transform-origin) animate-pop rounded-lg border border-line bg-overlay p-1.5 text-base shadow-lg",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const row =
  "flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-left outline-none data-[disabled]:opacity-45 data-[highlighted]:bg-hover max-lg:h-11";

type ItemProps = { icon?: Icon | undefined; danger?: boolean | undefined; children: ReactNode };

function Content({ icon: Drawing, danger, children }: ItemProps) {
  return (
    <>
      {Drawing && <Drawing aria-hidden className={classNames("size-4 shrink-0", !danger && "text-ink-3")} />}
      <span className="flex-1">{children}</span>
    </>
  );
}

type MenuItemProps = ItemProps & {
  disabled?: boolean | undefined;
  checked?: boolean | undefined;
  onSelect?: ((event: Event) => void) | undefined;
};

export function MenuItem({ icon, danger, disabled = false, checked, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled}
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
