import { useRef, useState } from "react";
import { isRouteErrorResponse } from "react-router";
import { requestPasskey } from "#app/accounts/sign-in/passkey-ceremony.ts";
import type { PostedForm } from "#app/shell/closed.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { KeyRound, ShieldCheck } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

export type ChallengeData = { code: "reauthentication-required"; message: string; form?: PostedForm; passkey: boolean; error?: string };

export function challengeIn(error: unknown): ChallengeData | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const data = error.data as ChallengeData | null;
  return data?.code === "reauthentication-required" ? data : undefined;
}

/** `passkey`: the account has one. */
export function Challenge({ form, passkey, error }: Pick<ChallengeData, "form" | "passkey" | "error">) {
  return (
    <div className="mx-auto w-full max-w-[460px] py-8 lg:py-14">
      <ShieldCheck aria-hidden className="size-9 text-accent-ink" />
      <h1 className="display mt-4 text-d1">Confirm it’s you</h1>
      <p className="mt-3 text-md text-ink-2">Enter your password to continue. We won’t ask again on this device for 15 minutes.</p>
      {form && <p className="mt-2 text-md text-ink-2">What you typed will be sent once you confirm.</p>}
      <Panel className="mt-6 p-5 lg:p-6">
        <form method="post" action={form?.action}>
          {form?.fields.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat, and the order never changes.
            <textarea key={index} name={name} defaultValue={value} hidden readOnly />
          ))}
          <Field id="reauthenticate-password" label="Your password" error={error}>
            <TextInput name="reauthenticate-password" type="password" autoComplete="current-password" autoFocus />
          </Field>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button type="submit" variant="primary" className="max-sm:w-full">
              Continue
            </Button>
            {passkey && <PasskeyButton />}
          </div>
        </form>
      </Panel>
    </div>
  );
}

function PasskeyButton() {
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  if (!hydrated || typeof PublicKeyCredential === "undefined") return null;
  async function submitPasskey() {
    setBusy(true);
    const result = await requestPasskey();
    setBusy(false);
    if ("message" in result) return showToast({ tone: "error", text: result.message });
    if (!input.current) return;
    input.current.value = result.response;
    input.current.form?.submit();
  }
  return (
    <>
      <input ref={input} type="hidden" name="reauthenticate-passkey" />
      <Button
        icon={KeyRound}
        busy={busy}
        busyLabel="Waiting for your device..."
        onClick={() => void submitPasskey()}
        className="max-sm:w-full"
      >
        Use a passkey
      </Button>
    </>
  );
}
