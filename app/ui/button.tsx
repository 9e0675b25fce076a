import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { Link, type LinkProps } from "./link.tsx";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "ink" | "secondary" | "soft" | "ghost" | "danger" | "danger-fill";
export type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-press",
  ink: "bg-inverse text-on-inverse hover:opacity-90 active:opacity-80",
  secondary: "bg-raised text-ink border border-line-strong hover:border-control hover:bg-hover shadow-xs",
  soft: "bg-hover text-ink hover:bg-line",
  ghost: "text-ink-2 hover:bg-hover hover:text-ink",
  danger: "bg-raised text-danger border border-danger-line hover:bg-danger-soft",
  "danger-fill": "bg-danger-fill text-on-danger hover:bg-danger-fill-hover",
};

/** What is touched has 44 pixels. */
const sizes: Record<ButtonSize, string> = {
  sm: "h-8 px-3 text-sm max-lg:h-11",
  md: "h-10 px-4 text-base max-lg:h-11",
  lg: "h-12 px-6 text-md",
};

const squares: Record<ButtonSize, string> = { sm: "size-9 max-lg:size-11", md: "size-10 max-lg:size-11", lg: "size-12" };

const base =
  "inline-flex items-center justify-center rounded-md font-medium select-none transition-[color,background-color,border-color] disabled:opacity-45 aria-disabled:opacity-45";

type ButtonStyle = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined };

function look({ variant = "secondary", size = "md" }: ButtonStyle, className?: string) {
  return classNames(base, "gap-2 whitespace-nowrap", sizes[size], variants[variant], className);
}

type Content = { icon?: Icon | undefined; iconAfter?: Icon | undefined; children?: ReactNode };

export type ButtonProps = ComponentProps<"button"> &
  ButtonStyle &
  Content & {
    /** Shows a spinner in place of the icon, and stops a second press without losing the focus. */
    busy?: boolean | undefined;
    /** Shown instead of the label while busy; then the button is as wide as the longer of the two. */
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
      className={classNames(look({ variant, size }, className), busy && "aria-disabled:opacity-100")}
    >
      {busy === undefined ? content : <Swapping {...{ busy, busyLabel, content, icon }}>{children}</Swapping>}
    </button>
  );
}

function Label({ icon: Before, iconAfter: After, size, children }: Content & Pick<ButtonStyle, "size">) {
  return (
    <>
      {Before && <Before aria-hidden className={classNames("shrink-0", size === "lg" ? "size-5" : "size-4")} />}
      {children !== undefined && <span>{children}</span>}
      {After && <After aria-hidden className="size-4 shrink-0" />}
    </>
  );
}

type Swap = { busy: boolean; busyLabel?: string | undefined; content: ReactNode; icon?: Icon | undefined; children: ReactNode };

/** While busy both contents lie in one grid cell, so that the button never gets narrower under the finger. */
function Swapping({ busy, busyLabel, content, icon, children }: Swap) {
  const waiting = busyLabel ?? (icon ? children : null);
  const cell = "col-start-1 row-start-1 inline-flex items-center justify-center gap-2";
  return (
    <span className="inline-grid">
      <span className={classNames(cell, busy && (waiting ? "invisible" : "opacity-0"))}>{content}</span>
      {busy && (
        <span className={cell}>
          <Spinner />
          {waiting && <span>{waiting}</span>}
        </span>
      )}
    </span>
  );
}

export type ButtonLinkProps = LinkProps & ButtonStyle & Content;

export function ButtonLink({ variant, size, icon, iconAfter, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={look({ variant, size }, className)}>
      <Label {...{ icon, iconAfter, size, children }} />
    </Link>
  );
}

type Square = ButtonStyle & { label: string; icon: Icon; busy?: boolean | undefined };

export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "md",
  busy,
  type = "button",
  className,
  ...rest
}: ComponentProps<"button"> & Square) {
  const Drawing = icon;
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      className={classNames(base, "shrink-0", squares[size], variants[variant], className)}
    >
      {busy ? <Spinner /> : <Drawing aria-hidden className="size-[18px] shrink-0" />}
    </button>
  );
}

/** The same square as a link. */
export function IconLink({ label, icon, variant = "ghost", size = "md", className, ...rest }: LinkProps & Omit<Square, "busy">) {
  const Drawing = icon;
  return (
    <Link {...rest} aria-label={label} title={label} className={classNames(base, "shrink-0", squares[size], variants[variant], className)}>
      <Drawing aria-hidden className="size-[18px] shrink-0" />
    </Link>
  );
}
