import { createContext, useContext } from "react";

/** Set by entry.server; in the browser the nonce is read from one of our script elements. */
export const NonceContext = createContext("");

/** Must precede every module script: react-hot-toast adds a style element while its module loads. */
export function NonceScript() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce || undefined}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant.
      dangerouslySetInnerHTML={{ __html: "window.__nonce__=document.currentScript.nonce" }}
    />
  );
}

/** Allows the styles of a frame within the page. */
export function useNonce(): string {
  const contextNonce = useContext(NonceContext);
  return typeof document === "undefined" ? contextNonce : readNonce();
}

export function readNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
