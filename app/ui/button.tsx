import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { Link, type LinkProps } from "./link.tsx";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "ink" | "secondary" | "soft" | "ghost" | "danger" | "danger-fill";
type ButtonSize = "sm" | "md" | "lg";

type ButtonStyle = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined };

/** Styles are in app/theme/buttons.css. */
function buttonClasses({ variant = "secondary", size = "md" }: ButtonStyle, className?: string) {
  return classNames("button", size, variant, className);
}

function squareClasses({ variant = "ghost", size = "md" }: ButtonStyle, className?: string) {
  return classNames("square button", size, variant, className);
}

type Content = { icon?: Icon | undefined; iconAfter?: Icon | undefined; children?: ReactNode };

export type ButtonProps = ComponentProps<"button"> &
  ButtonStyle &
  Content & {
    /** Shows a spinner instead of the icon and ignores clicks; unlike a disabled button it keeps the focus. */
    busy?: boolean | undefined;
    /** Replaces the label while busy. */
    busyLabel?: string | undefined;
  };

export function Button({
  variant,
  size,
  icon,
  iconAfter,
  busy,
  busyLabel,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const content = <Label {...{ icon, iconAfter, size, children }} />;
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClasses({ variant, size }, className), busy && "aria-disabled:opacity-100")}
    >
      {busy === undefined ? content : <BusyContent {...{ busy, busyLabel, content, icon }}>{children}</BusyContent>}
    </button>
  );
}

function Label({ icon: Before, iconAfter: After, size, children }: Content & Pick<ButtonStyle, "size">) {
  return (
    <>
      {Before && <Before aria-hidden className={size === "lg" ? "size-5" : undefined} />}
      {children !== undefined && <span>{children}</span>}
      {After && <After aria-hidden />}
    </>
  );
}

type BusyContentProps = { busy: boolean; busyLabel?: string | undefined; content: ReactNode; icon?: Icon | undefined; children: ReactNode };

/** Both contents share a grid cell while busy, so that the button never gets narrower. */
function BusyContent({ busy, busyLabel, content, icon, children }: BusyContentProps) {
  const label = busyLabel ?? (icon ? children : null);
  return (
    <span className="swapping">
      <span className={busy ? (label ? "invisible" : "opacity-0") : undefined}>{content}</span>
      {busy && (
        <span>
          <Spinner />
          {label && <span>{label}</span>}
        </span>
      )}
    </span>
  );
}

export type ButtonLinkProps = LinkProps & ButtonStyle & Content;

export function ButtonLink({ variant, size, icon, iconAfter, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClasses({ variant, size }, className)}>
      <Label {...{ icon, iconAfter, size, children }} />
    </Link>
  );
}

type Square = ButtonStyle & { label: string; icon: Icon };

export function IconButton({ label, icon, variant, size, type = "button", className, ...rest }: ComponentProps<"button"> & Square) {
  const IconComponent = icon;
  return (
    <button {...rest} type={type} aria-label={label} title={label} className={squareClasses({ variant, size }, className)}>
      <IconComponent aria-hidden />
    </button>
  );
}

export function IconLink({ label, icon, variant, size, className, ...rest }: LinkProps & Square) {
  const IconComponent = icon;
  return (
    <Link {...rest} aria-label={label} title={label} className={squareClasses({ variant, size }, className)}>
      <IconComponent aria-hidden />
    </Link>
  );
}
