import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import { RootContext } from "#app/shell/root-data.ts";

/** The markup of `content`, drawn or as it was drawn before under the same key. */
export type Keep = (key: string, content: ReactElement) => string;

/** Set by entry.server alone. */
export const KeepContext = createContext<Keep | undefined>(undefined);

type KeptProps = {
  as: "article" | "div";
  /** Everything that the children show. Two that are alike are drawn once, for whoever asks. */
  by: unknown[];
  className?: string | undefined;
  children: ReactNode;
};

/**
 * What looks the same for many is drawn once by the server; the browser takes it over as if it had been drawn for this page
 * (docs/decisions/0037-signed-in-pages.md). The children may not use `useId`, nor show anything of the page or the viewer that isn't in `by`.
 */
export function Kept({ as: Tag, by, className, children }: KeptProps) {
  const keep = useContext(KeepContext);
  const root = useContext(RootContext);
  if (!keep) return <Tag className={className}>{children}</Tag>;
  const html = keep(JSON.stringify(by), <RootContext value={root}>{children}</RootContext>);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has drawn it.
  return <Tag className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
