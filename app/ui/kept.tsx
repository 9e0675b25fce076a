import { createContext, type ReactElement, type ReactNode, use, useContext } from "react";
import { RouterStateContext } from "#app/shell/frame/router-state.ts";
import { RootContext } from "#app/shell/root-data.ts";

/** Returns the markup cached under `key`, or renders what `content` returns and caches it. */
export type Keep = (key: string, content: () => ReactElement) => string;

/** Set by entry.server alone. */
export const KeepContext = createContext<Keep | undefined>(undefined);

type KeptProps = {
  as: "article" | "div" | "footer" | "section" | "ul";
  /** Everything that the children show. Children with equal values are rendered once, for all pages and viewers. */
  by: unknown[];
  className?: string | undefined;
  labelledBy?: string | undefined;
  children: ReactNode;
};

/**
 * Caches the markup of its children on the server; the browser hydrates it like any other (docs/decisions/0037-signed-in-pages.md).
 * The children may not show an id from `useId`, nor anything of the page or the viewer that isn't in `by`. Of all contexts they have these two.
 */
export function Kept({ as: Tag, by, className, labelledBy, children }: KeptProps) {
  const keep = useContext(KeepContext);
  const attributes = { className, "aria-labelledby": labelledBy };
  if (!keep) return <Tag {...attributes}>{children}</Tag>;
  const html = keep(JSON.stringify(by), () => (
    <RootContext value={use(RootContext)}>
      <RouterStateContext value={use(RouterStateContext)}>{children}</RouterStateContext>
    </RootContext>
  ));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has drawn it.
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
