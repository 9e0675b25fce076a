import { createContext, useContext } from "react";

/** Filled by entry.server. */
export const RequestIdContext = createContext("");

/** Where the server made the error page: by what to find its request in the log. In the browser it stays as it came. */
export function ReportId() {
  const id = useContext(RequestIdContext);
  return (
    <p suppressHydrationWarning className="num mt-6 text-center text-sm text-ink-3 empty:hidden">
      {id && `If you report this, mention ${id}.`}
    </p>
  );
}
