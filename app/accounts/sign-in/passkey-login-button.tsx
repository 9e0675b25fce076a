import { useState } from "react";
import { useLocation, useSubmit } from "react-router";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { requestPasskey } from "./passkey-ceremony.ts";

export function PasskeyLoginButton() {
  const hydrated = useHydrated();
  const submit = useSubmit();
  const { search } = useLocation();
  const [busy, setBusy] = useState(false);
  if (!hydrated || typeof PublicKeyCredential === "undefined") return null;
  async function signIn() {
    setBusy(true);
    const result = await requestPasskey();
    setBusy(false);
    if ("message" in result) showToast({ tone: "error", text: result.message });
    else await submit({ passkey: result.response }, { method: "post", action: `/login/passkey${search}` });
  }
  return (
    <Button
      icon={KeyRound}
      size="lg"
      busy={busy}
      busyLabel="Waiting for your device..."
      onClick={() => void signIn()}
      className="mt-3 w-full"
    >
      Sign in with a passkey
    </Button>
  );
}
