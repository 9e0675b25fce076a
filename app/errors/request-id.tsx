import { createContext, useContext, useEffect, useState } from "react";

/** Set by entry.server; in the browser the id is read from the document. */
export const RequestIdContext = createContext("");

let documentRequestId =
  typeof document === "undefined" ? "" : (document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId ?? "");

/** On error pages rendered by the server: the request id, to find the request in the log. */
export function RequestId() {
  const renderedId = useContext(RequestIdContext);
  const [id] = useState(() => renderedId || documentRequestId);
  useEffect(() => {
    // Later error pages without a new document are about other requests.
    documentRequestId = "";
  }, []);
  if (!id) return null;
  return (
    <p data-request-id={id} className="num mt-6 text-center text-sm text-ink-3">
      If you report this, mention {id}.
    </p>
  );
}
