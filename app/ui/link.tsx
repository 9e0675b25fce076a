import { type ComponentProps, createContext, type MouseEvent, useContext } from "react";
import type { NavigateFunction, NavigateOptions, Path } from "react-router";

export type To = string | Partial<Path>;

export type LinkProps = Omit<ComponentProps<"a">, "href"> &
  Pick<NavigateOptions, "replace" | "state" | "preventScrollReset"> & {
    to: To;
    /** The browser itself loads what it leads to. */
    reloadDocument?: boolean | undefined;
  };

/** Set by the root; without it links load whole documents. */
export const NavigateContext = createContext<NavigateFunction | undefined>(undefined);

/**
 * Goes on to another screen as React Router's Link does, but costs no more than a plain `<a>`: a page has a hundred of them. An address
 * that begins with neither `/` nor `?` nor `#` leads to another site (docs/decisions/0037-signed-in-pages.md).
 */
export function Link({ to, replace, state, preventScrollReset = false, reloadDocument, onClick, children, ...rest }: LinkProps) {
  const navigate = useContext(NavigateContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { href, origin, pathname, search, hash } = event.currentTarget;
    if (!navigate || origin !== window.location.origin || !isPlainClick(event)) return;
    event.preventDefault();
    // To be where one is already makes no step in the browser's history.
    void navigate(pathname + search + hash, { replace: replace ?? href === window.location.href, state, preventScrollReset });
  };
  return (
    <a {...rest} href={hrefOf(to)} onClick={reloadDocument ? onClick : follow}>
      {children}
    </a>
  );
}

function hrefOf(to: To): string {
  return typeof to === "string" ? to : `${to.pathname ?? ""}${to.search ?? ""}${to.hash ?? ""}`;
}

/** Not one that opens a window, selects or downloads. */
function isPlainClick(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const modified = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
  return !event.defaultPrevented && event.button === 0 && (!target || target === "_self") && !modified;
}
