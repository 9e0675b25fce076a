import { type FormEvent, type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { makePasskey } from "#app/accounts/sign-in/passkey-ceremony.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Passkey } from "#domain/accounts/sign-in/passkey-reads.server.ts";
import { longDate } from "#domain/dates.ts";
import { SettingsList, SettingsRow } from "./settings-list.tsx";
import { FormAlert } from "./settings-section.tsx";
import { CurrentPasswordField } from "./sign-in/password-input.tsx";
import { removePasskeyPath, removePasskeyQuestion, removePasskeyText } from "./sign-in/remove-passkey.ts";

/** `add`: what is below the list. */
export function PasskeyList({ passkeys, add = <AddPasskey /> }: { passkeys: Passkey[]; add?: ReactNode }) {
  return (
    <>
      {passkeys.length > 0 && (
        <SettingsList className="mb-6">
          {passkeys.map(({ id, name, createdAt }) => (
            <SettingsRow key={id} icon={KeyRound} title={name} details={`Added ${longDate(createdAt)}`}>
              <ConfirmFormDialog
                button={{ children: "Remove", size: "sm", "aria-label": `Remove ${name}` }}
                {...removePasskeyQuestion}
                text={removePasskeyText(name)}
                action={removePasskeyPath(id)}
              />
            </SettingsRow>
          ))}
        </SettingsList>
      )}
      {add}
    </>
  );
}

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
      <CurrentPasswordField id="passkey-password" error={error?.field && error.message} />
      <Button type="submit" icon={KeyRound} busy={busy} busyLabel="Waiting for your device..." className="self-start max-sm:w-full">
        Add a passkey
      </Button>
    </form>
  );
}
