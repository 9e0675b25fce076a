import { createContext, type ReactNode, useContext } from "react";

/** Set by app/shared-pages.server.tsx alone, while it renders a page for all viewers: takes a part and returns its placeholder. */
export const PlaceholderContext = createContext<((part: ReactNode) => string) | undefined>(undefined);

type PersonalProps = { as: "h1" | "span"; className?: string | undefined; children: ReactNode };

/**
 * Part of a shared page (`handle.shared`) that shows the viewer's name, email, picture, unread counts or `PersonalDataContext`. The server
 * renders the page once and this part for each viewer. The part has only that context, the root's and the unread counts', so no hooks of the
 * router, and can't show an id from `useId`.
 */
export function Personal({ as: Tag, className, children }: PersonalProps) {
  const placeholderOf = useContext(PlaceholderContext);
  if (!placeholderOf) return <Tag className={className}>{children}</Tag>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a placeholder, which React's markup replaces.
  return <Tag className={className} dangerouslySetInnerHTML={{ __html: placeholderOf(children) }} />;
}

/** What the page's loader returned as `personal`. */
export const PersonalDataContext = createContext<unknown>(undefined);

/**
 * A route module's `handle`: members whose loaders return the same data get the same markup. The data is JSON. A loader returns what is
 * the viewer's own as `personal`, and its position in the event log as `cursor`.
 */
export type SharedPageHandle = { shared: true };
