import { useContext } from "react";
import { NonceContext } from "#app/nonce.tsx";

const script = `addEventListener("load",()=>navigator.serviceWorker?.register("/service-worker.js",{updateViaCache:"none"}).catch(()=>{}))`;

/** Registers public/service-worker.js after the page has loaded; Vite's development server has none. */
export function WorkerScript() {
  const nonce = useContext(NonceContext);
  if (import.meta.env.DEV) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; as children its quotes would be escaped.
  return <script nonce={nonce || undefined} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
