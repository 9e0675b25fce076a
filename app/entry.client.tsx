import { setNonce } from "get-nonce";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { readNonce } from "./nonce.tsx";
import { reportFault, reportUncaught } from "./shell/report-faults.ts";

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
