import { useContext } from "react";
import { NonceContext } from "#app/nonce.tsx";
import { themeScript } from "./theme.ts";

/** Finds out before the first paint what `system` means on this device, and follows it when that changes. */
export function ThemeScript() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce || undefined}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; as children its quotes would be escaped.
      dangerouslySetInnerHTML={{ __html: themeScript }}
    />
  );
}
