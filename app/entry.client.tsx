import { setNonce } from "get-nonce";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { reportUncaught, sendErrorReport } from "./errors/report-errors.ts";
import { readNonce } from "./nonce.tsx";

setNonce(readNonce()); // For the style element of Radix's scroll lock.

reportUncaught();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={sendErrorReport} />
    </StrictMode>,
  );
});
