import { useContext } from "react";
import { NonceContext } from "#app/nonce.tsx";
import { captureInputScript } from "#app/shell/scripts/pre-hydration-input.ts";
import { themeScript } from "./theme.ts";

/**
 * Resolves the theme `system` before the first paint and follows the device's setting. Its element also has the code of
 * pre-hydration-input.ts.
 */
export function ThemeScript() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce || undefined}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; as children its quotes would be escaped.
      dangerouslySetInnerHTML={{ __html: `${themeScript};${captureInputScript}` }}
    />
  );
}
