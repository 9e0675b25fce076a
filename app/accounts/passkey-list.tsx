import { type FormEvent, type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { makePasskey } from "#app/accounts/sign-in/passkey-ceremony.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Passkey } from "#domain/accounts/sign-in/passkey-reads.server.ts";
import { longDate } from "#domain/dates.ts";
import { FormAlert } from "./settings-section.tsx";
import { PasswordAgain } from "./sign-in/password-input.tsx";

/** `add` is what is below the list. */
export function PasskeyList({ passkeys, add = <AddPasskey /> }: { passkeys: Passkey[]; add?: ReactNode }) {
  return (
    <>
      {passkeys.length > 0 && (
        <ul className="mb-6 rounded-lg border border-line bg-raised">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {add}
    </>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { passkey: Passkey }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4 first:border-t-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="break-words text-base font-medium">{name}</p>
        <p className="num text-sm text-ink-2">Added {longDate(createdAt)}</p>
      </div>
      <ConfirmDialog
        button={{ children: "Remove", size: "sm", "aria-label": `Remove ${name}` }}
        title="Remove this passkey?"
        text={`You won’t be able to sign in with ${name}.`}
        confirmLabel="Remove"
        danger
        action="/account/passkeys/remove"
        fields={{ id }}
      />
    </li>
  );
}

/** Passkeys are made by the browser itself, so this part needs JavaScript. */
function AddPasskey() {
  const hydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<{ field?: string | undefined; message: string }>();
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    const refused = await makePasskey(new FormData(form));
    setBusy(false);
    setError(refused);
    if (refused) return;
    form.reset();
    showToast({ tone: "success", text: "The passkey has been added." });
    void revalidate();
  }
  if (!hydrated) return <p className="text-base text-ink-2">To add a passkey, turn on JavaScript.</p>;
  return (
    <form onSubmit={(event) => void add(event)} noValidate className="flex flex-col gap-5">
      {error && !error.field && <FormAlert>{error.message}</FormAlert>}
      <Field label="Name of the new passkey" id="passkey-name" hint="For example, the device it’s on">
        <TextInput name="name" maxLength={100} autoComplete="off" />
      </Field>
      <PasswordAgain id="passkey-password" error={error?.field && error.message} />
      <Button type="submit" icon={KeyRound} busy={busy} busyLabel="Waiting for your device..." className="self-start max-sm:w-full">
        Add a passkey
      </Button>
    </form>
  );
}
