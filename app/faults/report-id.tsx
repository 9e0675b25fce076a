import { createContext, useContext, useEffect, useState } from "react";

/** Filled by entry.server; in the browser the id is read from the page as it came. */
export const RequestIdContext = createContext("");

let ofDocument = typeof document === "undefined" ? "" : (document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId ?? "");

/** On an error page that the server made: by what to find its request in the log. */
export function ReportId() {
  const made = useContext(RequestIdContext);
  const [id] = useState(() => made || ofDocument);
  useEffect(() => {
    // An error page that comes later, without a document of its own, is about another request.
    ofDocument = "";
  }, []);
  if (!id) return null;
  return (
    <p data-request-id={id} className="num mt-6 text-center text-sm text-ink-3">
      If you report this, mention {id}.
    </p>
  );
}
