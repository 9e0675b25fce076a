import { createContext, useContext } from "react";

/** Filled by entry.server; in the browser the nonce is read from one of our own script elements. */
export const NonceContext = createContext("");

/** Stands before every module script: react-hot-toast writes a style element while its module loads. */
export function NonceScript() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce || undefined}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, with nothing of anybody else's in it.
      dangerouslySetInnerHTML={{ __html: "window.__nonce__=document.currentScript.nonce" }}
    />
  );
}

/** By which styles of a frame within the page are allowed. */
export function useNonce(): string {
  const contextNonce = useContext(NonceContext);
  return typeof document === "undefined" ? contextNonce : readNonce();
}

export function readNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
