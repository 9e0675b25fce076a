import { setNonce } from "get-nonce";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { reportFault, reportUncaught } from "./faults/report-faults.ts";
import { readNonce } from "./nonce.tsx";

setNonce(readNonce()); // For the style element of Radix's scroll lock.

reportUncaught();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={reportFault} />
    </StrictMode>,
  );
});
