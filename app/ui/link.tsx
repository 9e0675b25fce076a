import { type ComponentProps, createContext, type MouseEvent, useContext } from "react";
import type { NavigateFunction, NavigateOptions, Path } from "react-router";

export type To = string | Partial<Path>;

export type LinkProps = Omit<ComponentProps<"a">, "href"> &
  Pick<NavigateOptions, "replace" | "state" | "preventScrollReset"> & {
    to: To;
    /** Loads the whole document. */
    reloadDocument?: boolean | undefined;
  };

/** Provided by the root; without it, links load whole documents. */
export const NavigateContext = createContext<NavigateFunction | undefined>(undefined);

/**
 * Navigates like React Router's Link but renders as fast as a plain `<a>`, as a page has a hundred of them
 * (docs/decisions/0037-signed-in-pages.md). Addresses that don't begin with `/`, `?` or `#` are of other sites.
 */
export function Link({ to, replace, state, preventScrollReset = false, reloadDocument, onClick, children, ...rest }: LinkProps) {
  const navigate = useContext(NavigateContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { href, origin, pathname, search, hash } = event.currentTarget;
    if (!navigate || origin !== window.location.origin || !isPlainClick(event)) return;
    event.preventDefault();
    // The current address gets no second history entry.
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

function isPlainClick(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const modified = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
  return !event.defaultPrevented && event.button === 0 && (!target || target === "_self") && !modified;
}
